// An independent check of a history: what clients asked, which answers they got, what streams delivered, and the final
// state. It shares no code with the server and knows only the rules.

/** One send. It has several answers if it was repeated under its reqSeq, and none if its outcome is unknown. */
export interface Send {
  readonly sender: string;
  readonly recipient: string;
  readonly reqSeq: number;
  /** Text of the message, unique in the whole history. */
  readonly text: string;
  /** Values of a counter that runs over the whole history. They show in which order events happened. */
  readonly begun: number;
  readonly answers: { readonly tick: number; readonly messageId: string }[];
}

export interface Delivery {
  readonly revision: number;
  /** The `id` of the event in the stream. */
  readonly id: number;
  readonly type: number;
  readonly messageId?: string | undefined;
  readonly text?: string | undefined;
  /** The whole operation as text. */
  readonly content: string;
}

export interface Stream {
  readonly account: string;
  readonly cursor: number;
  readonly deliveries: Delivery[];
}

/** An answer of getLastOpRevision, with the highest revision that the account had seen before the call. */
export interface HeadReading {
  readonly account: string;
  readonly seenBefore: number;
  readonly answered: number;
}

export interface ReadMark {
  readonly reader: string;
  readonly peer: string;
  readonly messageId: string;
  readonly acknowledged: boolean;
}

export interface ReadMessage {
  readonly id: string;
  readonly from: string;
  readonly text: string;
}

/** The messages of a chat that an account can read at the end, oldest first. */
export interface FinalChat {
  readonly account: string;
  readonly peer: string;
  readonly messages: readonly ReadMessage[];
  readonly unread: number;
  /** The message id up to which the account has read, from its read range. */
  readonly readUpTo: string | undefined;
  readonly lastMessageId: string | undefined;
}

/** The tables, read through a separate connection. Accounts are named by mid. */
export interface Tables {
  readonly heads: readonly { readonly account: string; readonly revision: number }[];
  readonly operations: readonly {
    readonly account: string;
    readonly revision: number;
    readonly type: number;
    readonly messageId: string | undefined;
  }[];
  readonly messages: readonly { readonly id: string; readonly text: string }[];
  readonly requests: readonly { readonly account: string; readonly reqSeq: number; readonly messageId: string }[];
}

export interface History {
  readonly sends: readonly Send[];
  readonly streams: readonly Stream[];
  readonly headReadings: readonly HeadReading[];
  readonly marks: readonly ReadMark[];
  /** One stream per account from the start to the end of its log, read after all clients stopped. */
  readonly replays: readonly Stream[];
  readonly chats: readonly FinalChat[];
  readonly tables: Tables;
}

const SEND_MESSAGE = 25;
const RECEIVE_MESSAGE = 26;

/**
 * Returns a description of each broken rule; empty if all rules hold. Each rule has a name such as I5. The functions below
 * say which rules they check, and a description begins with the name of its rule.
 */
export function violations(history: History): string[] {
  return [
    ...sendsArePresentOnce(history),
    ...nothingIsInvented(history),
    ...ordersAgree(history),
    ...revisionsAreDense(history),
    ...streamsAreContiguous(history),
    ...revisionsKeepTheirContent(history),
    ...headsCoverWhatWasSeen(history),
    ...unreadCountsAreRight(history),
    ...answersAreStable(history),
  ];
}

const tally = <T>(items: readonly T[], keyOf: (item: T) => string | undefined): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/**
 * I1, I2: an acknowledged send is stored once for both sides. A send with unknown outcome is stored completely or not
 * at all.
 */
function sendsArePresentOnce({ sends, chats, replays, tables }: History): string[] {
  const found: string[] = [];
  const stored = tally(tables.messages, (message) => message.text);
  const read = tally(
    chats.flatMap((chat) => chat.messages.map((message) => `${chat.account} ${message.text}`)),
    (key) => key,
  );
  const logged = tally(
    replays.flatMap((replay) => replay.deliveries.map((d) => `${replay.account} ${d.type} ${d.text}`)),
    (key) => key,
  );
  const idOf = new Map(tables.messages.map((message) => [message.text, message.id]));
  const remembered = tally(tables.requests, (request) => `${request.account} ${request.reqSeq} ${request.messageId}`);
  for (const send of sends) {
    const traces = {
      stored: stored.get(send.text) ?? 0,
      'read by the sender': read.get(`${send.sender} ${send.text}`) ?? 0,
      'read by the recipient': read.get(`${send.recipient} ${send.text}`) ?? 0,
      'in the log of the sender': logged.get(`${send.sender} ${SEND_MESSAGE} ${send.text}`) ?? 0,
      'in the log of the recipient': logged.get(`${send.recipient} ${RECEIVE_MESSAGE} ${send.text}`) ?? 0,
      'remembered with its reqSeq': remembered.get(`${send.sender} ${send.reqSeq} ${idOf.get(send.text)}`) ?? 0,
    };
    const counts = Object.values(traces);
    const whole = counts.every((count) => count === 1);
    const absent = counts.every((count) => count === 0);
    if (whole || (absent && send.answers.length === 0)) continue;
    const rule = send.answers.length > 0 ? 'I1: the acknowledged' : 'I2: the unanswered';
    found.push(`${rule} send ${send.text} left ${JSON.stringify(traces)}`);
  }
  return found;
}

/** I3: every stored message was really sent by the account that it names as its sender. */
function nothingIsInvented({ sends, chats, tables }: History): string[] {
  const senderOf = new Map(sends.map((send) => [send.text, send.sender]));
  const stored = tables.messages
    .filter((message) => !senderOf.has(message.text))
    .map((m) => `I3: nobody sent ${m.text}`);
  const read = chats.flatMap((chat) =>
    chat.messages
      .filter((message) => senderOf.get(message.text) !== message.from)
      .map((message) => `I3: ${chat.account} reads ${message.text} as from ${message.from}`),
  );
  return [...stored, ...read];
}

/**
 * I4: both sides of a chat see the messages in the same order, in chats, streams and tables. Sends that a session made
 * one after the other keep their order.
 */
function ordersAgree({ sends, chats, replays }: History): string[] {
  const found: string[] = [];
  const orderOf = new Map<string, string>();
  for (const chat of chats) {
    const pair = [chat.account, chat.peer].sort().join(' ');
    const order = chat.messages.map((message) => message.id).join();
    if (orderOf.has(pair) && orderOf.get(pair) !== order)
      found.push(`I4: the two sides of ${pair} read different orders`);
    orderOf.set(pair, order);
    if (!isRising(chat.messages.map((message) => BigInt(message.id)))) found.push(`I4: ids of ${pair} do not rise`);
    const last = chat.messages.at(-1)?.id;
    if (chat.lastMessageId !== last)
      found.push(`I4: the box of ${pair} ends with ${chat.lastMessageId}, the chat with ${last}`);
    const texts = new Set(chat.messages.map((message) => message.text));
    const streamed = replays
      .find((replay) => replay.account === chat.account)
      ?.deliveries.filter((d) => d.text !== undefined && texts.has(d.text))
      .map((d) => d.messageId)
      .join();
    if (streamed !== order)
      found.push(`I4: the log of ${chat.account} has another order than its chat with ${chat.peer}`);
  }
  for (const own of Map.groupBy(sends, (send) => send.sender).values()) {
    const answered = own.filter((send) => send.answers.length > 0).toSorted((a, b) => a.begun - b.begun);
    for (const [i, send] of answered.entries()) {
      const before = answered[i - 1];
      if (!before || (before.answers[0]?.tick ?? Number.POSITIVE_INFINITY) > send.begun) continue;
      const [earlier, later] = [before.answers[0], send.answers[0]];
      if (earlier && later && BigInt(earlier.messageId) >= BigInt(later.messageId)) {
        found.push(`I4: ${send.text} was sent after ${before.text} was answered and stands before it`);
      }
    }
  }
  return found;
}

/** Checks rule I5 in the tables: the revisions of an account's log are 1, 2, 3 and so on up to the last one, each once. */
function revisionsAreDense({ tables }: History): string[] {
  const found: string[] = [];
  const byAccount = Map.groupBy(tables.operations, (operation) => operation.account);
  for (const { account, revision } of tables.heads) {
    const revisions = (byAccount.get(account) ?? []).map((o) => o.revision).toSorted((a, b) => a - b);
    if (revisions.some((r, i) => r !== i + 1)) found.push(`I5: the log of ${account} is not dense`);
    if (revisions.length !== revision)
      found.push(`I5: the head of ${account} is ${revision}, its log has ${revisions.length}`);
  }
  return found;
}

/** Checks rule I5 in the streams: a stream begins with the revision after its start, and leaves no revision out. */
function streamsAreContiguous({ streams, replays }: History): string[] {
  return [...streams, ...replays].flatMap(({ account, cursor, deliveries }) =>
    deliveries
      .filter((d, i) => d.revision !== cursor + 1 + i || d.id !== d.revision)
      .slice(0, 1)
      .map((d) => `I5: a stream of ${account} from ${cursor} delivered ${d.revision} (id ${d.id}) out of turn`),
  );
}

/** I6, I7: every revision that a stream delivered is in the final log with the same content. */
function revisionsKeepTheirContent({ streams, replays, tables }: History): string[] {
  const found: string[] = [];
  const final = new Map<string, string>();
  for (const { account, deliveries } of replays)
    for (const d of deliveries) final.set(`${account} ${d.revision}`, d.content);
  for (const { account, deliveries } of streams) {
    for (const { revision, content } of deliveries) {
      const kept = final.get(`${account} ${revision}`);
      if (kept === undefined) found.push(`I7: ${account} was delivered ${revision}, which is not in its log`);
      else if (kept !== content) found.push(`I6: ${revision} of ${account} was ${content} and is ${kept}`);
    }
  }
  for (const { account, revision, type, messageId } of tables.operations) {
    const kept = final.get(`${account} ${revision}`);
    const fits = kept?.includes(`"type":${type},`) && (messageId === undefined || kept.includes(`"id":"${messageId}"`));
    if (!fits) found.push(`I6: the table and the stream differ on ${revision} of ${account}`);
  }
  return found;
}

/** I8: getLastOpRevision is never below a revision that the account had seen before the call. */
const headsCoverWhatWasSeen = ({ headReadings }: History): string[] =>
  headReadings
    .filter(({ seenBefore, answered }) => answered < seenBefore)
    .map(({ account, seenBefore, answered }) => `I8: ${account} had seen ${seenBefore} and was told ${answered}`);

/** I10: the unread count is the number of the other side's messages after the read mark. Read marks never move back. */
function unreadCountsAreRight({ chats, marks }: History): string[] {
  const found: string[] = [];
  for (const chat of chats) {
    const own = marks.filter((mark) => mark.reader === chat.account && mark.peer === chat.peer);
    const certain = highest(own.filter((mark) => mark.acknowledged));
    const candidates = [certain, ...own.map((mark) => BigInt(mark.messageId)).filter((id) => id > certain)];
    const counts = candidates.map(
      (seen) => chat.messages.filter((message) => message.from === chat.peer && BigInt(message.id) > seen).length,
    );
    if (!counts.includes(chat.unread)) {
      found.push(`I10: ${chat.account} has ${chat.unread} unread from ${chat.peer}, not ${counts.join(' or ')}`);
    }
    const readUpTo = BigInt(chat.readUpTo ?? 0);
    if (readUpTo < certain) found.push(`I10: the read mark of ${chat.account} fell from ${certain} to ${readUpTo}`);
  }
  return found;
}

const highest = (marks: readonly ReadMark[]): bigint =>
  marks.reduce((most, mark) => (BigInt(mark.messageId) > most ? BigInt(mark.messageId) : most), 0n);

/** I13: sends with the same session, reqSeq and content all get the same answer. */
const answersAreStable = ({ sends }: History): string[] =>
  sends
    .filter((send) => new Set(send.answers.map((answer) => answer.messageId)).size > 1)
    .map(
      (send) => `I13: ${send.text} was answered with ${send.answers.map((answer) => answer.messageId).join(' and ')}`,
    );

const isRising = (values: readonly bigint[]): boolean =>
  values.every((value, i) => i === 0 || value > (values[i - 1] as bigint));
