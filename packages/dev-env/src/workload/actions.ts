// Makes the actions of a workload, with one function for each topic. A function returns undefined if no sensible action
// is possible now.
import { contactSettings, profileAttributes } from '@sealpost/contract';
import { accounts, nameOf, OFFICIALS, PEOPLE } from './cast.ts';
import type { Action, ChatRef, Setting } from './commands.ts';
import type { Model } from './model.ts';
import { partiesOf } from './model-chat.ts';
import type { Turn } from './turn.ts';

const FLAGS = [
  contactSettings.CONTACT_SETTING_NOTIFICATION_DISABLE,
  contactSettings.CONTACT_SETTING_CONTACT_HIDE,
  contactSettings.CONTACT_SETTING_FAVORITE,
  contactSettings.CONTACT_SETTING_FAVORITE,
  contactSettings.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE,
  contactSettings.CONTACT_SETTING_DELETE,
];
const SETTINGS: readonly Setting[] = [
  'privacyReceiveMessagesFromNotFriend',
  'privacySearchByUserid',
  'notificationEnable',
  'phoneRegistration',
];
const MOST_CHATS = 8;

export function send(turn: Turn, text: string): Action {
  const replyTo = turn.random.oneIn(6) ? turn.message() : undefined;
  const to = turn.anywhere();
  // If the server refused a reply, the model could not know whether the one-to-one chat was created. So a workload
  // contains no reply that the server might refuse.
  const answers = replyTo !== undefined && ('chat' in to || inChatOf(turn.model, replyTo, turn.by, to.user));
  return { do: 'send', to, text, ...(answers && { replyTo }) };
}

function inChatOf(model: Model, command: number, by: number, user: number): boolean {
  const pair = model.sent.get(command)?.chat.pair ?? [];
  return pair.includes(by) && pair.includes(user) && (by !== user || pair.length === 1);
}

export function changeMessage(turn: Turn, kind: 'unsend' | 'react' | 'cancelReaction'): Action | undefined {
  const message = kind === 'unsend' && !turn.wild ? turn.ownMessage() : turn.message();
  if (message === undefined) return undefined;
  return kind === 'react' ? { do: kind, message, reaction: 2 + turn.random.below(6) } : { do: kind, message };
}

export function changeBox(turn: Turn, kind: 'read' | 'removeHistory'): Action {
  const message = turn.random.oneIn(4) ? undefined : turn.message();
  const found = message === undefined ? undefined : turn.model.sent.get(message);
  const place = found && !turn.wild ? turn.refTo(found.chat) : turn.anywhere();
  return { do: kind, in: place, ...(message !== undefined && { message }) };
}

export function hide(turn: Turn): Action | undefined {
  const boxes = turn.model.ofAccount(turn.by).boxes();
  const box = turn.random.pick<ChatRef | undefined>(boxes.map((chat) => turn.refTo(chat)));
  return box && { do: 'hide', in: box, hidden: !turn.random.oneIn(3) };
}

export function postback(turn: Turn): Action | undefined {
  const message = turn.message();
  const found = message === undefined ? undefined : turn.model.sent.get(message);
  if (!found || message === undefined) return undefined;
  const official = PEOPLE + turn.random.below(OFFICIALS);
  const place = turn.wild || !found.chat.pair.includes(turn.by) ? turn.refTo(found.chat) : { user: official };
  return { do: 'postback', in: place, message, official };
}

export function add({ by, wild, random }: Turn): Action {
  const others = accounts.filter((account) => account !== by);
  return { do: 'add', users: wild ? [by] : random.some(others, 3) };
}

export function setContact({ random, model, by, user, wild, n }: Turn): Action {
  const contact = random.pick<number | undefined>(model.contacts.contacts(by));
  const flag = random.pick(FLAGS);
  const named = flag === contactSettings.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE;
  const value = named ? `name ${n}` : wild ? 'maybe' : String(random.below(4) > 0);
  return { do: 'setContact', user: contact === undefined || random.oneIn(10) ? user : contact, flag, value };
}

export function create({ random, model, n }: Turn): Action | undefined {
  if (model.chats.length >= MOST_CHATS) return undefined;
  return {
    do: 'create',
    room: random.oneIn(3),
    users: random.some(accounts, 5),
    name: random.oneIn(4) ? '' : `chat ${n}`,
  };
}

export function changeAttribute(turn: Turn, kind: 'rename' | 'favorite' | 'mute'): Action | undefined {
  const { random, n } = turn;
  const chat = turn.chat();
  if (chat === undefined) return undefined;
  if (kind === 'rename') return { do: kind, chat, name: `renamed ${n}` };
  if (kind === 'mute') return { do: kind, chat, muted: random.oneIn(2) };
  return { do: kind, chat, time: random.below(4) };
}

export function changeTargets(
  turn: Turn,
  kind: 'invite' | 'inviteIntoRoom' | 'remove' | 'cancelInvitation',
): Action | undefined {
  const { random, model, wild, by } = turn;
  const chat = kind === 'inviteIntoRoom' && !wild ? turn.room() : turn.chat();
  const found = model.chats.find((c) => c.command === chat);
  if (chat === undefined || !found) return undefined;
  const sensible = kind === 'remove' || kind === 'cancelInvitation' ? partiesOf(found, kind === 'remove') : [];
  const candidates = sensible.filter((account) => wild || account !== by);
  if (kind === 'cancelInvitation' && candidates.length === 0 && !wild) return undefined;
  const users = random.some(candidates.length > 0 && !random.oneIn(8) ? candidates : accounts, 2);
  return { do: kind, chat, users };
}

export function changeOwnMembership(turn: Turn, kind: 'accept' | 'reject' | 'leave' | 'leaveRoom'): Action | undefined {
  const chat = kind === 'leaveRoom' && !turn.wild ? turn.room() : turn.chat(kind === 'leave');
  return chat === undefined ? undefined : { do: kind, chat };
}

export function setProfile({ random, by, n }: Turn): Action {
  const attribute = random.pick([profileAttributes.DISPLAY_NAME, profileAttributes.STATUS_MESSAGE]);
  return { do: 'setProfile', attribute, value: random.oneIn(8) ? '' : `${nameOf(by)} at ${n}` };
}

export const setSetting = ({ random }: Turn): Action => ({
  do: 'set',
  setting: random.pick(SETTINGS),
  value: !random.oneIn(3),
});
