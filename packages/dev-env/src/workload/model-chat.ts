// One chat of the model: its members, its messages, and each account's view of it.

export interface ModelMessage {
  readonly seq: number;
  readonly chat: ModelChat;
  readonly sender: number;
  /** The LOC_KEY of a system message; undefined for other messages. */
  readonly key?: string;
  readonly text?: string;
  /** The number of the command that sent the message. */
  readonly command?: number;
  /** The only account that got the message, if it was withheld from the other account of the chat. */
  readonly onlyFor?: number;
  unsent: boolean;
  /** By the account that reacted. `onlyFor` is that account, if the reaction is withheld from the other account. */
  readonly reactions: Map<number, { readonly time: number; readonly reaction: number; readonly onlyFor?: number }>;
}

interface Party {
  readonly account: number;
  readonly joined: boolean;
  /** True if the account is told nothing of the chat, because it keeps the account away that invited it. */
  readonly withheld: boolean;
  readonly time: number;
  readonly seq: number;
}

/** The messages between two moments. */
interface Span {
  readonly after: number;
  readonly before: number;
}

/** The state of one chat for one account. */
interface Side {
  readonly past: Span[];
  seen: number;
  removed: number;
  /** The number of the newest message when the account hid the chat; 0 if the chat is not hidden. */
  hidden: number;
}

export interface ModelChat {
  /** The number of the command that created the chat; undefined for a one-to-one chat. */
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

export const newChat = (
  fields: Pick<ModelChat, 'room' | 'creator' | 'name' | 'pair'> & { command?: number },
): ModelChat => ({ ...fields, parties: [], messages: [], sides: new Map(), personal: new Map() });

export function sideOf(chat: ModelChat, account: number): Side {
  const side = chat.sides.get(account) ?? { past: [], seen: 0, removed: 0, hidden: 0 };
  chat.sides.set(account, side);
  return side;
}

/** Returns the members of a group or room, or its invitees, by the time when they joined or were invited. */
export const partiesOf = (chat: ModelChat, joined: boolean): number[] =>
  chat.parties
    .filter((party) => party.joined === joined)
    .toSorted((a, b) => a.time - b.time || a.account - b.account)
    .map((party) => party.account);

/** Returns true if others see the account in the chat. */
export const isIn = (chat: ModelChat, account: number, joined: boolean): boolean =>
  chat.parties.some((party) => party.account === account && party.joined === joined);

/** Returns true if the account is in the chat and is told of it. */
export const takesPart = (chat: ModelChat, account: number, joined: boolean): boolean =>
  chat.parties.some((party) => party.account === account && party.joined === joined && !party.withheld);

/** Returns the members that get new messages of a group or room. */
export const toldMembers = (chat: ModelChat): number[] =>
  partiesOf(chat, true).filter((account) => takesPart(chat, account, true));

/** Returns true if the account gets new messages of the chat. */
export const reaches = (chat: ModelChat, account: number): boolean =>
  chat.pair.includes(account) || takesPart(chat, account, true);

export const without = (chat: ModelChat, accounts: readonly number[]): Party[] =>
  chat.parties.filter((party) => !accounts.includes(party.account));

export const visible = (chat: ModelChat, account: number): ModelMessage[] =>
  within(chat, account, spansOf(chat, account));

function within(chat: ModelChat, account: number, spans: readonly Span[]): ModelMessage[] {
  return chat.messages.filter(
    (message) =>
      (message.onlyFor === undefined || message.onlyFor === account) &&
      spans.some((span) => message.seq > span.after && message.seq < span.before),
  );
}

export const newestOf = (chat: ModelChat, account: number): number => visible(chat, account).at(-1)?.seq ?? 0;

/** Returns the newest message that the account could ever read, even if the account has removed it. */
export const newestEverOf = (chat: ModelChat, account: number): number =>
  within(chat, account, allSpansOf(chat, account)).at(-1)?.seq ?? 0;

/** Returns the ranges of messages that the account may read. Each membership gives one range. */
function spansOf(chat: ModelChat, account: number): Span[] {
  const { removed } = sideOf(chat, account);
  return allSpansOf(chat, account).map(({ after, before }) => ({ after: Math.max(after, removed), before }));
}

/** Returns the same ranges, with the messages that the account removed. */
function allSpansOf(chat: ModelChat, account: number): Span[] {
  const { past } = sideOf(chat, account);
  const present = chat.parties.find((party) => party.account === account && party.joined && !party.withheld);
  if (chat.pair.length === 0 && !present) return [];
  return [...past, { after: present?.seq ?? 0, before: Number.POSITIVE_INFINITY }];
}
