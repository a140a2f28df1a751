// Applies commands about messages and message boxes to the model. Each function returns the expected outcome.
import type { CommandOf, Outcome } from './commands.ts';
import { isIn, newestEverOf, newestOf, sideOf, takesPart, toldMembers, visible } from './model-chat.ts';
import type { ModelState } from './model-state.ts';

export function send(model: ModelState, command: CommandOf<'send'>, n: number): Outcome {
  const { by, to } = command;
  if ('chat' in to && !takesPart(model.groupOf(to.chat), by, true)) return 'NOT_A_MEMBER';
  const chat = 'chat' in to ? model.groupOf(to.chat) : model.openPeerChat(by, to.user);
  if (command.replyTo !== undefined) {
    const original = model.sent.get(command.replyTo);
    if (!original || original.chat !== chat || !visible(chat, by).includes(original)) return 'MESSAGE_NOT_FOUND';
  }
  const withheld = 'user' in to && to.user !== by && model.contacts.withheld(by, to.user);
  const others = chat.pair.length > 0 ? chat.pair : toldMembers(chat);
  const readers = withheld ? [by] : [by, ...others.filter((other) => other !== by)];
  const message = { sender: by, text: command.text, command: n, ...(withheld && { onlyFor: by }) };
  model.sent.set(n, model.post(chat, message, readers));
  return 'ok';
}

export function changeMessage(model: ModelState, command: CommandOf<'unsend' | 'react' | 'cancelReaction'>): Outcome {
  const message = model.changeable(command.by, command.message);
  if (!message) return 'MESSAGE_NOT_FOUND';
  if (command.do === 'unsend') {
    if (message.sender !== command.by) return 'MESSAGE_NOT_DESTRUCTIBLE';
    message.unsent = true;
    message.reactions.clear();
  } else if (command.do === 'react') {
    const other = message.chat.pair.find((account) => account !== command.by);
    const withheld = other !== undefined && model.contacts.withheld(command.by, other);
    const reaction = { time: model.now, reaction: command.reaction, ...(withheld && { onlyFor: command.by }) };
    message.reactions.set(command.by, reaction);
  } else message.reactions.delete(command.by);
  return 'ok';
}

export function changeBox(model: ModelState, command: CommandOf<'read' | 'removeHistory' | 'hide'>): Outcome {
  const chat = model.openedBy(command.by, command.in);
  if (!chat) return 'chat' in command.in ? 'NOT_A_MEMBER' : 'ok';
  const side = sideOf(chat, command.by);
  const newest = newestOf(chat, command.by);
  if (command.do === 'hide') {
    side.hidden = command.hidden ? Math.max(newest, 0.5) : 0;
    return 'ok';
  }
  const asked = command.message === undefined ? 0 : (model.sent.get(command.message)?.seq ?? 0);
  if (command.do === 'read') side.seen = Math.max(side.seen, Math.min(asked, newestEverOf(chat, command.by)));
  else side.removed = Math.max(side.removed, asked === 0 ? newest : Math.min(asked, newest));
  return 'ok';
}

export function postback(model: ModelState, { by, in: ref, message, official }: CommandOf<'postback'>): Outcome {
  const found = model.changeable(by, message);
  if (!found) return 'MESSAGE_NOT_FOUND';
  const there = found.chat.pair.includes(official) || isIn(found.chat, official, true);
  const fits = model.openedBy(by, ref) === found.chat;
  return there && fits && official !== by && model.names[official]?.startsWith('official') ? 'ok' : 'NOT_FOUND';
}
