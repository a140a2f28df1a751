// Computes the expected state after a list of commands. It shares no code with the server and knows only the rules.
// Messages are numbered in the order of their creation, system messages included.
import type { ChatRef, Command, CommandOf, Outcome } from './commands.ts';
import { createContactsModel } from './contacts-model.ts';

export interface ModelMessage {
  readonly seq: number;
  readonly chat: ModelChat;
  readonly sender: number;
  /** The LOC_KEY of a system message; undefined for other messages. */
  readonly key?: string;
  readonly text?: string;
  /** The number of the command that sent the message. */
  readonly command?: number;
  /** The only account that has the message, if it was withheld from the other account of the chat. */
  readonly onlyFor?: number;
  unsent: boolean;
  readonly reactions: Map<number, { readonly time: number; readonly reaction: number }>;
}

interface Party {
  readonly account: number;
  readonly joined: boolean;
  readonly time: number;
  readonly seq: number;
}

/** The state of one chat for one account. */
interface Side {
  readonly past: { readonly after: number; readonly before: number }[];
  seen: number;
  removed: number;
  /** The number of the message up to which the chat is hidden; 0 if it is not hidden. */
  hidden: number;
}

export interface ModelChat {
  /** The number of the command that created the chat; undefined for a chat of two. */
  readonly command?: number;
  readonly room: boolean;
  readonly creator: number;
  name: string;
  /** The members and invitees of a group or room. */
  parties: Party[];
  readonly pair: readonly number[];
  readonly messages: ModelMessage[];
  readonly sides: Map<number, Side>;
  readonly personal: Map<number, { readonly favoriteTime: number; readonly muted: boolean }>;
}

export type Model = ReturnType<typeof createModel>;

export function createModel(names: readonly string[]) {
  const contacts = createContactsModel(names);
  const chats: ModelChat[] = [];
  const pairs = new Map<string, ModelChat>();
  const sent = new Map<number, ModelMessage>();
  const outcomes: Outcome[] = [];
  const commands: Command[] = [];
  const delivered: ModelMessage[][] = names.map(() => []);
  let now = 1;
  let seq = 0;

  // The functions from here on are about chats of two.

  const pairOf = (a: number, b: number) => [Math.min(a, b), Math.max(a, b)].join();
  const peerChat = (a: number, b: number): ModelChat | undefined => pairs.get(pairOf(a, b));

  function openPeerChat(a: number, b: number): ModelChat {
    const known = peerChat(a, b);
    if (known) return known;
    const chat = newChat({ room: false, creator: a, name: '', pair: [...new Set([a, b])] });
    for (const account of chat.pair) sideOf(chat, account);
    pairs.set(pairOf(a, b), chat);
    return chat;
  }

  const newChat = (
    fields: Pick<ModelChat, 'room' | 'creator' | 'name' | 'pair'> & { command?: number },
  ): ModelChat => ({
    ...fields,
    parties: [],
    messages: [],
    sides: new Map(),
    personal: new Map(),
  });

  function sideOf(chat: ModelChat, account: number): Side {
    const side = chat.sides.get(account) ?? { past: [], seen: 0, removed: 0, hidden: 0 };
    chat.sides.set(account, side);
    return side;
  }

  // The functions from here on are about groups and rooms.

  const groupOf = (command: number): ModelChat => chats.find((chat) => chat.command === command) as ModelChat;
  const partiesOf = (chat: ModelChat, joined: boolean): number[] =>
    chat.parties
      .filter((party) => party.joined === joined)
      .toSorted((a, b) => a.time - b.time || a.seq - b.seq || a.account - b.account)
      .map((party) => party.account);
  const isIn = (chat: ModelChat, account: number, joined: boolean): boolean =>
    chat.parties.some((party) => party.account === account && party.joined === joined);
  const reaches = (chat: ModelChat, account: number): boolean =>
    chat.pair.includes(account) || isIn(chat, account, true);
  const without = (chat: ModelChat, accounts: readonly number[]): Party[] =>
    chat.parties.filter((party) => !accounts.includes(party.account));

  /**
   * Returns a number for the moment at which a membership begins or ends. The number lies between the numbers of the
   * messages before and after that moment.
   */
  const boundary = (): number => (seq += 1);

  function join(chat: ModelChat, accounts: readonly number[], after: number): void {
    chat.parties = [
      ...without(chat, accounts),
      ...accounts.map((account) => ({ account, joined: true, time: now, seq: after })),
    ];
    for (const account of accounts) sideOf(chat, account);
  }

  function invite(chat: ModelChat, accounts: readonly number[]): void {
    chat.parties.push(...accounts.map((account) => ({ account, joined: false, time: now, seq: 0 })));
  }

  function end(chat: ModelChat, accounts: readonly number[]): void {
    const before = boundary();
    for (const account of accounts) {
      const party = chat.parties.find((p) => p.account === account) as Party;
      sideOf(chat, account).past.push({ after: party.seq, before });
      chat.personal.delete(account);
    }
    chat.parties = without(chat, accounts);
  }

  function post(chat: ModelChat, message: Partial<ModelMessage> & { sender: number }, readers: readonly number[]) {
    seq += 1;
    const stored: ModelMessage = { seq, chat, unsent: false, reactions: new Map(), ...message };
    chat.messages.push(stored);
    for (const reader of readers) delivered[reader]?.push(stored);
    return stored;
  }
  const announce = (chat: ModelChat, sender: number, key: string): ModelMessage =>
    post(chat, { sender, key }, partiesOf(chat, true));

  // The functions from here on compute what an account sees.

  function spansOf(chat: ModelChat, account: number) {
    const { past, removed } = sideOf(chat, account);
    const present = chat.parties.find((party) => party.account === account && party.joined);
    if (chat.pair.length === 0 && !present) return [];
    const all = [...past, { after: present?.seq ?? 0, before: Number.POSITIVE_INFINITY }];
    return all.map((span) => ({ after: Math.max(span.after, removed), before: span.before }));
  }

  function visible(chat: ModelChat, account: number): ModelMessage[] {
    const spans = spansOf(chat, account);
    return chat.messages.filter(
      (message) =>
        (message.onlyFor === undefined || message.onlyFor === account) &&
        spans.some((span) => message.seq > span.after && message.seq < span.before),
    );
  }
  const newestOf = (chat: ModelChat, account: number): number => visible(chat, account).at(-1)?.seq ?? 0;

  /** Returns the chat if the account can open it. */
  function openedBy(account: number, ref: ChatRef): ModelChat | undefined {
    const chat = 'user' in ref ? peerChat(account, ref.user) : groupOf(ref.chat);
    return chat && reaches(chat, account) ? chat : undefined;
  }

  function changeable(account: number, command: number): ModelMessage | undefined {
    const message = sent.get(command);
    const there = message && reaches(message.chat, account) && visible(message.chat, account).includes(message);
    return there && !message.unsent ? message : undefined;
  }

  // The functions from here on apply commands.

  function send(command: CommandOf<'send'>, n: number): Outcome {
    const { by, to } = command;
    if ('chat' in to && !isIn(groupOf(to.chat), by, true)) return 'NOT_A_MEMBER';
    const chat = 'chat' in to ? groupOf(to.chat) : openPeerChat(by, to.user);
    if (command.replyTo !== undefined) {
      const original = sent.get(command.replyTo);
      if (!original || original.chat !== chat || !visible(chat, by).includes(original)) return 'MESSAGE_NOT_FOUND';
    }
    const withheld = 'user' in to && to.user !== by && contacts.withheld(by, to.user);
    const others = chat.pair.length > 0 ? chat.pair : partiesOf(chat, true);
    const readers = withheld ? [by] : [by, ...others.filter((other) => other !== by)];
    const message = { sender: by, text: command.text, command: n, ...(withheld && { onlyFor: by }) };
    sent.set(n, post(chat, message, readers));
    return 'ok';
  }

  function changeMessage(command: CommandOf<'unsend' | 'react' | 'cancelReaction'>): Outcome {
    const message = changeable(command.by, command.message);
    if (!message) return 'MESSAGE_NOT_FOUND';
    if (command.do === 'unsend') {
      if (message.sender !== command.by) return 'MESSAGE_NOT_DESTRUCTIBLE';
      message.unsent = true;
      message.reactions.clear();
    } else if (command.do === 'react') message.reactions.set(command.by, { time: now, reaction: command.reaction });
    else message.reactions.delete(command.by);
    return 'ok';
  }

  function changeBox(command: CommandOf<'read' | 'removeHistory' | 'hide'>): Outcome {
    const chat = openedBy(command.by, command.in);
    if (!chat) {
      if ('chat' in command.in) return 'NOT_A_MEMBER';
      return command.do === 'hide' ? 'NOT_FOUND' : 'ok';
    }
    const side = sideOf(chat, command.by);
    const newest = newestOf(chat, command.by);
    if (command.do === 'hide') {
      side.hidden = command.hidden ? Math.max(newest, 0.5) : 0;
      return 'ok';
    }
    const asked = command.message === undefined ? 0 : (sent.get(command.message)?.seq ?? 0);
    if (command.do === 'read') side.seen = Math.max(side.seen, Math.min(asked, newest));
    else side.removed = Math.max(side.removed, asked === 0 ? newest : Math.min(asked, newest));
    return 'ok';
  }

  function postback({ by, in: ref, message, official }: CommandOf<'postback'>): Outcome {
    const found = changeable(by, message);
    if (!found) return 'MESSAGE_NOT_FOUND';
    const there = found.chat.pair.includes(official) || isIn(found.chat, official, true);
    const fits = openedBy(by, ref) === found.chat;
    return there && fits && official !== by && names[official]?.startsWith('official') ? 'ok' : 'NOT_FOUND';
  }

  function create({ by, room, users, name }: CommandOf<'create'>, n: number): Outcome {
    const chat = newChat({ command: n, room, creator: by, name, pair: [] });
    chats.push(chat);
    const targets = [...new Set(users)].filter((user) => user !== by);
    join(chat, [by], 0);
    if (room) join(chat, targets, 0);
    else {
      invite(chat, targets);
      for (const _ of targets) post(chat, { sender: by, key: 'C_GI' }, [by]);
    }
    return 'ok';
  }

  function changeTargets(command: CommandOf<'invite' | 'inviteIntoRoom' | 'remove' | 'cancelInvitation'>): Outcome {
    const { by } = command;
    const chat = groupOf(command.chat);
    const users = [...new Set(command.users)];
    if (command.do === 'inviteIntoRoom' && !chat.room) return 'INVALID_MID';
    if (!isIn(chat, by, true)) return 'NOT_A_MEMBER';
    if (command.do === 'remove') {
      if (chat.room) return 'INVALID_STATE';
      if (users.includes(by)) return 'ILLEGAL_ARGUMENT';
      if (!users.every((user) => isIn(chat, user, true))) return 'NOT_FOUND';
      end(chat, users);
      for (const _ of users) announce(chat, by, 'C_MR');
      return 'ok';
    }
    if (command.do === 'cancelInvitation') {
      if (!users.every((user) => isIn(chat, user, false))) return 'NOT_AN_INVITEE';
      chat.parties = without(chat, users);
      for (const _ of users) announce(chat, by, 'C_IC');
      return 'ok';
    }
    const newcomers = users.filter((user) => !chat.parties.some((party) => party.account === user));
    if (newcomers.length === 0) return 'ok';
    if (chat.room) join(chat, newcomers, boundary());
    else {
      invite(chat, newcomers);
      for (const _ of newcomers) announce(chat, by, 'C_MI');
    }
    return 'ok';
  }

  function changeOwnMembership(command: CommandOf<'accept' | 'reject' | 'leave' | 'leaveRoom'>): Outcome {
    const { by } = command;
    const chat = groupOf(command.chat);
    if (command.do === 'accept' || command.do === 'reject') {
      if (!isIn(chat, by, false)) return 'NOT_AN_INVITEE';
      if (command.do === 'reject') chat.parties = without(chat, [by]);
      else {
        join(chat, [by], boundary());
        announce(chat, by, 'C_MJ');
      }
      return 'ok';
    }
    if (command.do === 'leaveRoom' && !chat.room) return 'INVALID_MID';
    if (!isIn(chat, by, true)) return 'NOT_A_MEMBER';
    end(chat, [by]);
    if (command.do === 'leave') announce(chat, by, 'C_ML');
    return 'ok';
  }

  function changeAttribute(command: CommandOf<'rename' | 'favorite' | 'mute'>): Outcome {
    const chat = groupOf(command.chat);
    if (!isIn(chat, command.by, true)) return 'NOT_A_MEMBER';
    const personal = chat.personal.get(command.by) ?? { favoriteTime: 0, muted: false };
    if (command.do === 'rename') {
      chat.name = command.name;
      announce(chat, command.by, 'C_PN');
    } else if (command.do === 'favorite') chat.personal.set(command.by, { ...personal, favoriteTime: command.time });
    else chat.personal.set(command.by, { ...personal, muted: command.muted });
    return 'ok';
  }

  function run(command: Command, n: number): Outcome {
    switch (command.do) {
      case 'send':
        return send(command, n);
      case 'unsend':
      case 'react':
      case 'cancelReaction':
        return changeMessage(command);
      case 'read':
      case 'removeHistory':
      case 'hide':
        return changeBox(command);
      case 'postback':
        return postback(command);
      case 'create':
        return create(command, n);
      case 'invite':
      case 'inviteIntoRoom':
      case 'remove':
      case 'cancelInvitation':
        return changeTargets(command);
      case 'accept':
      case 'reject':
      case 'leave':
      case 'leaveRoom':
        return changeOwnMembership(command);
      case 'rename':
      case 'favorite':
      case 'mute':
        return changeAttribute(command);
      case 'repeat': {
        const original = commands[command.command] as Command;
        return outcomes[command.command] === 'ok' ? 'ok' : run(original, command.command);
      }
      default:
        return contacts.apply(command, now) ?? 'ok';
    }
  }

  const ofAccount = (account: number) => ({
    /**
     * Returns the chats of which the account is a member or, if `joined` is false, the chats to which it is invited.
     */
    groups: (joined: boolean) => chats.filter((chat) => isIn(chat, account, joined)),
    /**
     * Returns the chats with a message box for the account. A chat of two has a box only if the account sees a message
     * in that chat.
     */
    boxes: () => [
      ...chats.filter((chat) => isIn(chat, account, true)),
      ...[...pairs.values()].filter((chat) => chat.pair.includes(account) && newestOf(chat, account) > 0),
    ],
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
    delivered: () => delivered[account] ?? [],
    /** Returns the accounts that share a chat with this account, in the order of their numbers. */
    sharing: () =>
      names
        .map((_, other) => other)
        .filter(
          (other) => other !== account && chats.some((chat) => isIn(chat, account, true) && isIn(chat, other, true)),
        ),
    favoriteChats: () =>
      chats
        .filter((chat) => isIn(chat, account, true) && (chat.personal.get(account)?.favoriteTime ?? 0) > 0)
        .toSorted(
          (a, b) =>
            (a.personal.get(account)?.favoriteTime ?? 0) - (b.personal.get(account)?.favoriteTime ?? 0) ||
            chats.indexOf(a) - chats.indexOf(b),
        ),
  });

  return {
    contacts,
    chats: chats as readonly ModelChat[],
    sent: sent as ReadonlyMap<number, ModelMessage>,
    outcomes: outcomes as readonly Outcome[],
    commands: commands as readonly Command[],
    partiesOf,
    ofAccount,
    canChange: (account: number, command: number) => changeable(account, command) !== undefined,
    /** Applies the next command, and returns its expected outcome. */
    apply(command: Command): Outcome {
      now += command.wait;
      commands.push(command);
      const outcome = run(command, commands.length - 1);
      outcomes.push(outcome);
      return outcome;
    },
  };
}
