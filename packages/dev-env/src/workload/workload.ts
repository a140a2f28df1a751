// Makes a workload from a seed: the same seed makes the same list of commands. The server accepts most of the commands
// and refuses some.
import { contactSettings, profileAttributes } from '@sealpost/contract';
import type { Action, ChatRef, Command, Setting, Workload } from './commands.ts';
import { createModel, type Model } from './model.ts';
import { createRandom, type Random } from './random.ts';

const PEOPLE = 6;
const OFFICIALS = 2;
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
/** The kinds of commands, with their weights: how often each occurs. */
const KINDS: readonly (readonly [kind: Action['do'], weight: number])[] = [
  ['send', 24],
  ['unsend', 5],
  ['react', 12],
  ['cancelReaction', 3],
  ['read', 9],
  ['removeHistory', 3],
  ['hide', 3],
  ['postback', 2],
  ['add', 5],
  ['addFriend', 3],
  ['block', 3],
  ['unblock', 2],
  ['blockRecommendation', 1],
  ['findByUserid', 1],
  ['setContact', 5],
  ['create', 4],
  ['rename', 2],
  ['favorite', 2],
  ['mute', 1],
  ['invite', 5],
  ['inviteIntoRoom', 2],
  ['remove', 4],
  ['cancelInvitation', 2],
  ['accept', 14],
  ['reject', 2],
  ['leave', 2],
  ['leaveRoom', 1],
  ['setProfile', 2],
  ['set', 3],
  ['repeat', 9],
];
const CHOICES = KINDS.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));

export const nameOf = (account: number): string =>
  account < PEOPLE ? `person${account}` : `official${account - PEOPLE}`;
const names = Array.from({ length: PEOPLE + OFFICIALS }, (_, i) => nameOf(i));

/** Returns a text that is unique and easy to find in places that must not have it. */
export const textOf = (seed: number, n: number): string => `text-${seed}-${n}.`;

export function createWorkload(seed: number, length: number): { readonly workload: Workload; readonly model: Model } {
  const random = createRandom(seed);
  const model = createModel(names);
  while (model.commands.length < length) {
    // The generator reads the state of the model, to know which commands the server would accept at this point.
    const command = nextCommand(seed, random, model);
    if (command) model.apply(command);
  }
  return { workload: { seed, people: PEOPLE, officials: OFFICIALS, commands: model.commands }, model };
}

/** Returns the model after the first commands of a workload. */
export function modelOf(workload: Workload, commands: number): Model {
  const model = createModel(names);
  for (const command of workload.commands.slice(0, commands)) model.apply(command);
  return model;
}

function nextCommand(seed: number, random: Random, model: Model): Command | undefined {
  const together = random.oneIn(2) ? reactionTogether(random, model) : undefined;
  if (together) return together;
  const n = model.commands.length;
  const accounts = names.map((_, i) => i);
  const by = random.below(names.length);
  const wait = random.oneIn(2) ? 0 : random.below(40);
  const user = random.below(names.length);
  const own = model.ofAccount(by);
  const numbered = (chats: readonly { readonly command?: number }[]): number[] =>
    chats.flatMap((chat) => chat.command ?? []);
  const wild = random.oneIn(10);
  /**
   * Returns a chat of which the account is a member (or an invitee, if `joined` is false). If `wild` is true, it
   * returns any chat.
   */
  const chat = (joined = true): number | undefined =>
    random.pick<number | undefined>(numbered(wild ? model.chats : own.groups(joined)));
  const room = () => random.pick<number | undefined>(numbered(own.groups(true).filter((found) => found.room)));
  const anywhere = (): ChatRef => {
    const group = random.oneIn(2) ? chat() : undefined;
    return group === undefined ? { user } : { chat: group };
  };
  const message = (): number | undefined => {
    const sent = [...model.sent.keys()].slice(-60);
    return random.pick<number | undefined>(wild ? sent : sent.filter((command) => model.canChange(by, command)));
  };
  const make = (action: Action): Command => ({ by, wait, ...action });
  const kind = random.pick(CHOICES);
  switch (kind) {
    case 'send': {
      const replyTo = random.oneIn(6) ? message() : undefined;
      const to = anywhere();
      // When the server refuses a reply, the model does not know whether the chat of two was created. So the workload
      // contains no reply that the server might refuse.
      const answers = replyTo !== undefined && ('chat' in to || inChatOf(model, replyTo, by, to.user));
      return make({ do: 'send', to, text: textOf(seed, n), ...(answers && { replyTo }) });
    }
    case 'unsend':
    case 'react':
    case 'cancelReaction': {
      const target = kind === 'unsend' && !wild ? ownMessage(random, model, by) : message();
      if (target === undefined) return undefined;
      return kind === 'react'
        ? make({ do: kind, message: target, reaction: 2 + random.below(6) })
        : make({ do: kind, message: target });
    }
    case 'read':
    case 'removeHistory': {
      const visible = random.oneIn(4) ? undefined : message();
      const found = visible === undefined ? undefined : model.sent.get(visible);
      const place = found && !wild ? refTo(found.chat, by) : anywhere();
      return make({ do: kind, in: place, ...(visible !== undefined && { message: visible }) });
    }
    case 'hide': {
      const box = random.pick(own.boxes().map((found) => refTo(found, by)) as (ChatRef | undefined)[]);
      return box && make({ do: 'hide', in: box, hidden: !random.oneIn(3) });
    }
    case 'postback': {
      const target = message();
      const found = target === undefined ? undefined : model.sent.get(target);
      if (!found || target === undefined) return undefined;
      const official = PEOPLE + random.below(OFFICIALS);
      const place = wild || !found.chat.pair.includes(by) ? refTo(found.chat, by) : { user: official };
      return make({ do: 'postback', in: place, message: target, official });
    }
    case 'add':
      return make({
        do: 'add',
        users: wild
          ? [by]
          : random.some(
              accounts.filter((a) => a !== by),
              3,
            ),
      });
    case 'addFriend':
    case 'block':
    case 'unblock':
    case 'blockRecommendation':
    case 'findByUserid':
      return make({ do: kind, user });
    case 'setContact': {
      const contact = random.pick<number | undefined>(model.contacts.contacts(by));
      const flag = random.pick(FLAGS);
      const named = flag === contactSettings.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE;
      const value = named ? `name ${n}` : wild ? 'maybe' : String(random.below(4) > 0);
      return make({ do: 'setContact', user: contact === undefined || random.oneIn(10) ? user : contact, flag, value });
    }
    case 'create':
      if (model.chats.length >= 8) return undefined;
      return make({
        do: 'create',
        room: random.oneIn(3),
        users: random.some(accounts, 5),
        name: random.oneIn(4) ? '' : `chat ${n}`,
      });
    case 'rename':
    case 'favorite':
    case 'mute': {
      const target = chat();
      if (target === undefined) return undefined;
      if (kind === 'rename') return make({ do: kind, chat: target, name: `renamed ${n}` });
      if (kind === 'mute') return make({ do: kind, chat: target, muted: random.oneIn(2) });
      return make({ do: kind, chat: target, time: random.below(4) });
    }
    case 'invite':
    case 'inviteIntoRoom':
    case 'remove':
    case 'cancelInvitation': {
      const target = kind === 'inviteIntoRoom' && !wild ? room() : chat();
      const found = model.chats.find((c) => c.command === target);
      if (target === undefined || !found) return undefined;
      const sensible =
        kind === 'remove' || kind === 'cancelInvitation' ? model.partiesOf(found, kind === 'remove') : [];
      const candidates = sensible.filter((account) => wild || account !== by);
      if (kind === 'cancelInvitation' && candidates.length === 0 && !wild) return undefined;
      const users = random.some(candidates.length > 0 && !random.oneIn(8) ? candidates : accounts, 2);
      return make({ do: kind, chat: target, users });
    }
    case 'accept':
    case 'reject':
    case 'leave':
    case 'leaveRoom': {
      const target = kind === 'leaveRoom' && !wild ? room() : chat(kind === 'leave');
      return target === undefined ? undefined : make({ do: kind, chat: target });
    }
    case 'setProfile': {
      const attribute = random.pick([profileAttributes.DISPLAY_NAME, profileAttributes.STATUS_MESSAGE]);
      return make({ do: kind, attribute, value: random.oneIn(8) ? '' : `${nameOf(by)} at ${n}` });
    }
    case 'set':
      return make({ do: kind, setting: random.pick(SETTINGS), value: !random.oneIn(3) });
    case 'repeat':
      return repeatOf(random, model, wait);
    default:
      return undefined;
  }
}

/**
 * Returns another reaction to the same message at the same moment; undefined if the last command was not a reaction.
 */
function reactionTogether(random: Random, model: Model): Command | undefined {
  const last = model.commands.at(-1);
  if (last?.do !== 'react') return undefined;
  const others = names.flatMap((_, account) =>
    account !== last.by && model.canChange(account, last.message) ? [account] : [],
  );
  const by = random.pick<number | undefined>(others);
  return by === undefined ? undefined : { ...last, by, wait: 0, reaction: 2 + random.below(6) };
}

/**
 * Returns a repetition of a recent call that worked. A refused call is not repeated, because the server keeps no result
 * of a refused call.
 */
function repeatOf(random: Random, model: Model, wait: number): Command | undefined {
  const command = model.commands.length - 1 - random.below(20);
  const original = model.commands[command];
  if (!original || model.outcomes[command] !== 'ok') return undefined;
  if (['repeat', 'postback', 'findByUserid'].includes(original.do)) return undefined;
  if (original.do === 'send' && 'chat' in original.to) {
    const { chat } = original.to;
    const stillIn = model.ofAccount(original.by).groups(true);
    if (!stillIn.some((found) => found.command === chat)) return undefined;
  }
  return { by: original.by, wait, do: 'repeat', command };
}

function refTo(chat: { readonly command?: number; readonly pair: readonly number[] }, account: number): ChatRef {
  if (chat.command !== undefined) return { chat: chat.command };
  return { user: chat.pair.find((other) => other !== account) ?? account };
}

function ownMessage(random: Random, model: Model, by: number): number | undefined {
  const own = [...model.sent].filter(([command, m]) => m.sender === by && model.canChange(by, command));
  return random.pick<number | undefined>(own.slice(-10).map(([command]) => command));
}

function inChatOf(model: Model, command: number, by: number, user: number): boolean {
  const pair = model.sent.get(command)?.chat.pair ?? [];
  return pair.includes(by) && pair.includes(user) && (by !== user || pair.length === 1);
}
