// Computes the expected state after a list of commands, from the rules of the protocol. It shares no code with the
// server. Messages, including system messages, are numbered in the order of their creation.
import type { Command, Outcome } from './commands.ts';
import { isIn, type ModelChat, type ModelMessage, newestOf, sideOf, takesPart, visible } from './model-chat.ts';
import { answerInvitation, cancelInvitation, changeAttribute, create, invite, leave, remove } from './model-groups.ts';
import { changeBox, changeMessage, postback, send } from './model-messages.ts';
import { ModelState } from './model-state.ts';

export type Model = ReturnType<typeof createModel>;

export function createModel(names: readonly string[]) {
  const state = new ModelState(names);
  const outcomes: Outcome[] = [];
  const commands: Command[] = [];

  function run(command: Command, n: number): Outcome {
    if (command.do !== 'repeat') return outcomeOf(state, command, n);
    const original = commands[command.command] as Command;
    return outcomes[command.command] === 'ok' ? 'ok' : run(original, command.command);
  }

  return {
    contacts: state.contacts,
    chats: state.chats as readonly ModelChat[],
    sent: state.sent as ReadonlyMap<number, ModelMessage>,
    outcomes: outcomes as readonly Outcome[],
    commands: commands as readonly Command[],
    ofAccount: (account: number) => viewOf(state, account),
    canChange: (account: number, command: number) => state.changeable(account, command) !== undefined,
    /** Applies the next command, and returns its expected outcome. */
    apply(command: Command): Outcome {
      state.now += command.wait;
      commands.push(command);
      const outcome = run(command, commands.length - 1);
      outcomes.push(outcome);
      return outcome;
    },
  };
}

function outcomeOf(state: ModelState, command: Command, n: number): Outcome {
  switch (command.do) {
    case 'send':
      return send(state, command, n);
    case 'unsend':
    case 'react':
    case 'cancelReaction':
      return changeMessage(state, command);
    case 'read':
    case 'removeHistory':
    case 'hide':
      return changeBox(state, command);
    case 'postback':
      return postback(state, command);
    case 'create':
      return create(state, command, n);
    case 'invite':
    case 'inviteIntoRoom':
      return invite(state, command);
    case 'remove':
      return remove(state, command);
    case 'cancelInvitation':
      return cancelInvitation(state, command);
    case 'accept':
    case 'reject':
      return answerInvitation(state, command);
    case 'leave':
    case 'leaveRoom':
      return leave(state, command);
    case 'rename':
    case 'favorite':
    case 'mute':
      return changeAttribute(state, command);
    default:
      return state.contacts.apply(command, state.now) ?? 'ok';
  }
}

/** Returns an account's view of the model. */
const viewOf = (state: ModelState, account: number) => ({
  /** Returns the chats of which the account is a member or, if `joined` is false, the chats to which it is invited. */
  groups: (joined: boolean) => state.chats.filter((chat) => takesPart(chat, account, joined)),
  boxes: () => state.boxesOf(account),
  visible: (chat: ModelChat) => visible(chat, account),
  unread: (chat: ModelChat) =>
    visible(chat, account).filter(
      (m) => m.seq > sideOf(chat, account).seen && m.sender !== account && !m.unsent && m.key === undefined,
    ).length,
  seen: (chat: ModelChat) => sideOf(chat, account).seen,
  hidden: (chat: ModelChat) => {
    const { hidden } = sideOf(chat, account);
    return hidden > 0 && hidden >= newestOf(chat, account);
  },
  delivered: () => state.deliveredTo(account),
  /** Returns the other accounts that are in a chat with this account, in the order of their numbers. */
  sharing: () => {
    const own = state.chats.filter((chat) => takesPart(chat, account, true));
    const others = state.names.map((_, other) => other).filter((other) => other !== account);
    return others.filter((other) => own.some((chat) => isIn(chat, other, true)));
  },
  favoriteChats: () => {
    const timeOf = (chat: ModelChat): number => chat.personal.get(account)?.favoriteTime ?? 0;
    return state.chats
      .filter((chat) => takesPart(chat, account, true) && timeOf(chat) > 0)
      .toSorted((a, b) => timeOf(a) - timeOf(b) || state.chats.indexOf(a) - state.chats.indexOf(b));
  },
});
