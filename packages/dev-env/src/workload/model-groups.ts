// Applies commands about groups and rooms to the model. Each function returns the expected outcome.
import type { CommandOf, Outcome } from './commands.ts';
import { isIn, newChat, newestOf, sideOf, takesPart, without } from './model-chat.ts';
import type { ModelState } from './model-state.ts';

type TargetsCommand = CommandOf<'invite' | 'inviteIntoRoom' | 'remove' | 'cancelInvitation'>;
type MembershipCommand = CommandOf<'accept' | 'reject' | 'leave' | 'leaveRoom'>;

export function create(model: ModelState, { by, room, users, name }: CommandOf<'create'>, n: number): Outcome {
  const chat = newChat({ command: n, room, creator: by, name, pair: [] });
  model.chats.push(chat);
  const targets = [...new Set(users)].filter((user) => user !== by);
  model.join(chat, by, [by], 0);
  if (room) model.join(chat, by, targets, 0);
  else {
    model.invite(chat, by, targets);
    for (const _ of targets) model.post(chat, { sender: by, key: 'C_GI' }, [by]);
  }
  return 'ok';
}

export function invite(model: ModelState, command: TargetsCommand): Outcome {
  const { by } = command;
  const chat = model.groupOf(command.chat);
  if (command.do === 'inviteIntoRoom' && !chat.room) return 'INVALID_MID';
  if (!takesPart(chat, by, true)) return 'NOT_A_MEMBER';
  const users = [...new Set(command.users)];
  const placeOf = (user: number) => chat.parties.find((party) => party.account === user);
  const newcomers = users.filter((user) => !placeOf(user));
  const found = users.filter((user) => placeOf(user)?.withheld && !model.keepsAway(chat, by, user));
  if (newcomers.length + found.length === 0) return 'ok';
  const after = chat.room ? model.boundary() : 0;
  model.tellFromNow(chat, found, after);
  if (chat.room) model.join(chat, by, newcomers, after);
  else {
    model.invite(chat, by, newcomers);
    for (const _ of newcomers) model.announce(chat, by, 'C_MI');
  }
  return 'ok';
}

export function remove(model: ModelState, { by, ...command }: TargetsCommand): Outcome {
  const chat = model.groupOf(command.chat);
  const users = [...new Set(command.users)];
  if (!takesPart(chat, by, true)) return 'NOT_A_MEMBER';
  if (chat.room) return 'INVALID_STATE';
  if (users.includes(by)) return 'ILLEGAL_ARGUMENT';
  if (!users.every((user) => isIn(chat, user, true))) return 'NOT_FOUND';
  model.end(chat, users);
  for (const _ of users) model.announce(chat, by, 'C_MR');
  return 'ok';
}

export function cancelInvitation(model: ModelState, { by, ...command }: TargetsCommand): Outcome {
  const chat = model.groupOf(command.chat);
  const users = [...new Set(command.users)];
  if (!takesPart(chat, by, true)) return 'NOT_A_MEMBER';
  if (!users.every((user) => isIn(chat, user, false))) return 'NOT_AN_INVITEE';
  chat.parties = without(chat, users);
  for (const _ of users) model.announce(chat, by, 'C_IC');
  return 'ok';
}

export function answerInvitation(model: ModelState, { do: answer, by, chat: n }: MembershipCommand): Outcome {
  const chat = model.groupOf(n);
  if (!takesPart(chat, by, false)) return 'NOT_AN_INVITEE';
  if (answer === 'reject') chat.parties = without(chat, [by]);
  else {
    model.join(chat, by, [by], model.boundary());
    model.announce(chat, by, 'C_MJ');
  }
  return 'ok';
}

export function leave(model: ModelState, command: MembershipCommand): Outcome {
  const { by } = command;
  const chat = model.groupOf(command.chat);
  if (command.do === 'leaveRoom' && !chat.room) return 'INVALID_MID';
  if (!takesPart(chat, by, true)) return 'NOT_A_MEMBER';
  if (command.do === 'leaveRoom') {
    const side = sideOf(chat, by);
    side.removed = Math.max(side.removed, newestOf(chat, by));
  }
  model.end(chat, [by]);
  if (command.do === 'leave') model.announce(chat, by, 'C_ML');
  return 'ok';
}

export function changeAttribute(model: ModelState, command: CommandOf<'rename' | 'favorite' | 'mute'>): Outcome {
  const chat = model.groupOf(command.chat);
  if (!takesPart(chat, command.by, true)) return 'NOT_A_MEMBER';
  const personal = chat.personal.get(command.by) ?? { favoriteTime: 0, muted: false };
  if (command.do === 'rename') {
    chat.name = command.name;
    model.announce(chat, command.by, 'C_PN');
  } else if (command.do === 'favorite') chat.personal.set(command.by, { ...personal, favoriteTime: command.time });
  else chat.personal.set(command.by, { ...personal, muted: command.muted });
  return 'ok';
}
