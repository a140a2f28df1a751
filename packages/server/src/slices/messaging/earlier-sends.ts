// Finds out whether a send repeats an earlier one. A client that lost the answer sends again and gets the first message
// back. Every send is recorded in the sender's operation log and nowhere else, because an index would cost each send a
// further page write. Clients number their sends with `reqSeq`, and nearly all count upwards. So a send is new if its
// reqSeq is above all earlier ones of its session. Memory keeps the highest reqSeq of each session and, for sends out
// of order, each account's newest sends. Memory cannot always decide, for example after a client restarted its counter.
// Then all sends of the session are read from the log and kept in memory.
import { limits } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { timeOfId } from '../../platform/kernel/ids.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Heads, LoggedSend, OperationLog } from '../../platform/stream/operation-log.ts';
import type { Send } from './send.ts';
import {
  createMemory,
  type EarlierSend,
  type Marks,
  type Memory,
  type SenderMemory,
  type SessionSends,
} from './sender-memory.ts';

/** Maximum number of sends that memory keeps for one account. */
const MOST_RECENT = 64;
/**
 * Maximum number of operations that other servers have appended to a log, for which all sends among them are read. Of
 * more, only the highest reqSeq of each session is read.
 */
const MOST_MISSED = 500;
/**
 * Maximum number of sends that memory keeps for one session. If a session has more, each send that may be a repeat is
 * looked up in the log.
 */
const MOST_OF_SESSION = 20_000;

interface EarlierSendsDeps {
  readonly log: OperationLog;
  readonly clock: Clock;
  /** Maximum number of sends and accounts that memory keeps. */
  readonly mostKept?: number;
}

/**
 * Returns a function that collects what is known of the senders' earlier sends. Its argument `heads` must include all
 * senders, and their logs must be locked.
 */
export function createEarlierSends({ log, clock, mostKept }: EarlierSendsDeps) {
  const memory = createMemory(mostKept);

  return async (tx: Tx, sends: readonly Send[], heads: Heads): Promise<EarlierSends> => {
    const now = clock.now();
    const oldest = now - limits.requestMemoryMs.value;
    const known = knownOf(memory, sends, heads, { now, oldest });
    await catchUp(tx, log, known, heads, oldest);
    const doubts = await lookUp(tx, log, known, sends, oldest);
    const earlier = new EarlierSends(known, doubts, { named: oldest, unnamed: now - limits.sealedRepeatMs.value });
    // Sends enter memory only after the commit. By then, the heads include what this transaction appended.
    tx.onCommit(() => earlier.keepIn(memory, heads));
    return earlier;
  };
}

type SenderMemories = ReadonlyMap<number, SenderMemory>;

/** Sends that were read from the log because memory could not decide. */
interface Doubts {
  readonly sessions: ReadonlyMap<Marks, SessionSends>;
  /** Sends found by single lookups, for sessions with too many sends to keep. */
  readonly logged: readonly EarlierSend[];
}

/** Times in milliseconds. Sends before these times are too old to count as earlier sends. */
interface Oldest {
  readonly named: number;
  /** The time for sends that `isUnnamed` tells. */
  readonly unnamed: number;
}

/**
 * Returns whether a client's other messages may look the same as this one. That is so if the content is sealed, because
 * the fingerprint leaves the chunks out, and if the client gives no time of its own. Such a client restarts its counter
 * with its program, and its next message with the same reqSeq would be lost.
 */
const isUnnamed = ({ message: { chunks, createdTime } }: Send): boolean =>
  chunks !== undefined && createdTime === undefined;

/** The earlier sends of some senders, and the sends of the current transaction. */
export class EarlierSends {
  readonly #known: SenderMemories;
  readonly #doubts: Doubts;
  readonly #oldest: Oldest;
  readonly #added = new Map<number, EarlierSend[]>();

  constructor(known: SenderMemories, doubts: Doubts, oldest: Oldest) {
    this.#known = known;
    this.#doubts = doubts;
    this.#oldest = oldest;
  }

  /** Returns the id of the message that an earlier attempt of this send created; undefined for a new send. */
  find(send: Send): number | undefined {
    const { reqSeq, fingerprint, caller } = send;
    if (fingerprint === undefined) return undefined;
    const twin = findIn(this.#added.get(caller.accountId) ?? [], send);
    if (twin) return twin.messageId;
    const seen = this.#known.get(caller.accountId);
    const marks = seen?.sessions.get(caller.sessionId);
    if (!seen || !marks || reqSeq > marks.highest) return undefined;
    const all = marks.all ?? this.#doubts.sessions.get(marks);
    const others = all instanceof Map ? (all.get(reqSeq) ?? []) : this.#doubts.logged;
    const made = findIn(seen.recent, send) ?? findIn(others, send);
    const { named, unnamed } = this.#oldest;
    return made && made.time >= (isUnnamed(send) ? unnamed : named) ? made.messageId : undefined;
  }

  /**
   * Records the message that a send created. Other sends of the same transaction see the record at once. Later
   * transactions see it after the commit.
   */
  add({ reqSeq, fingerprint, caller: { accountId, sessionId } }: Send, messageId: number): void {
    if (fingerprint === undefined) return;
    const made = { sessionId, reqSeq, fingerprint, messageId, time: timeOfId(messageId) };
    const own = this.#added.get(accountId);
    if (own) own.push(made);
    else this.#added.set(accountId, [made]);
  }

  keepIn(memory: Memory, heads: Heads): void {
    const { sessions } = this.#doubts;
    for (const [accountId, seen] of this.#known) {
      seen.revision = Math.max(seen.revision, heads.get(accountId)?.revision ?? 0);
      if (sessions.size > 0) for (const marks of seen.sessions.values()) keepAll(seen, marks, sessions.get(marks));
      for (const made of this.#added.get(accountId) ?? []) remember(seen, made);
      memory.keep(accountId, seen);
    }
  }
}

function knownOf(
  memory: Memory,
  sends: readonly Send[],
  heads: Heads,
  { now, oldest }: { readonly now: number; readonly oldest: number },
): SenderMemories {
  const known = new Map<number, SenderMemory>();
  for (const { caller } of sends) {
    if (known.has(caller.accountId)) continue;
    const seen = memory.get(caller.accountId);
    // Old memory of a sender is dropped, because a client may have restarted its counter since then. The high reqSeq of
    // the previous counter would cause lookups for ever.
    const isOld = !seen || seen.time < oldest;
    known.set(
      caller.accountId,
      isOld ? { revision: 0, time: now, sessions: new Map(), recent: [], size: 0, counted: 0 } : seen,
    );
  }
  // Accounts that send nothing in this transaction keep a valid memory: `keepIn` moves the memory's revision past the
  // operations of this transaction.
  for (const [accountId, { revision }] of heads) {
    const seen = known.has(accountId) ? undefined : memory.peek(accountId);
    if (seen?.revision === revision) known.set(accountId, seen);
  }
  return known;
}

/** Reads the sends that other servers have added to the logs since memory knew them. */
async function catchUp(tx: Tx, log: OperationLog, known: SenderMemories, heads: Heads, oldest: number): Promise<void> {
  const unknown = new Map<number, SenderMemory>();
  const missed = new Map<number, SenderMemory>();
  for (const [accountId, seen] of known) {
    const count = (heads.get(accountId)?.revision ?? 0) - seen.revision;
    if (count > 0) (seen.revision > 0 && count <= MOST_MISSED ? missed : unknown).set(accountId, seen);
  }
  for (const row of missed.size > 0 ? await log.sendsAfter(tx, revisionsOf(missed)) : []) {
    const seen = missed.get(row.account_id);
    if (seen) remember(seen, madeOf(row));
  }
  // If this transaction fails, these sends are not remembered a second time.
  for (const [accountId, seen] of missed) seen.revision = heads.get(accountId)?.revision ?? seen.revision;
  for (const mark of unknown.size > 0 ? await log.highestSends(tx, revisionsOf(unknown), oldest) : []) {
    const seen = unknown.get(mark.account_id);
    if (!seen) continue;
    const marks = marksOf(seen, mark.session_id);
    marks.highest = Math.max(marks.highest, mark.req_seq);
    marks.forgotten = Math.max(marks.forgotten, mark.req_seq);
    // Memory knows only the highest reqSeq of the sends that were added. So its sends of the session are not complete.
    forgetAll(seen, marks);
  }
}

const revisionsOf = (memories: SenderMemories): (readonly [accountId: number, revision: number])[] =>
  [...memories].map(([accountId, { revision }]) => [accountId, revision]);

/** Looks up in the log those sends that, as far as memory knows, may be repeats. */
async function lookUp(
  tx: Tx,
  log: OperationLog,
  known: SenderMemories,
  sends: readonly Send[],
  oldest: number,
): Promise<Doubts> {
  const read = new Map<Marks, SessionSends>();
  const logged: EarlierSend[] = [];
  for (const send of sends) {
    const { recent, sessions } = known.get(send.caller.accountId) as SenderMemory;
    const marks = sessions.get(send.caller.sessionId);
    if (!marks || send.reqSeq > marks.forgotten || send.fingerprint === undefined || findIn(recent, send)) continue;
    const all = marks.all ?? read.get(marks) ?? (await readAll(tx, log, send.caller, oldest));
    if (!marks.all) read.set(marks, all);
    if (all === 'too many') logged.push(...(await log.sendsLike(tx, [markOf(send)], oldest)).map(madeOf));
  }
  return { sessions: read, logged };
}

async function readAll(
  tx: Tx,
  log: OperationLog,
  { accountId, sessionId }: Send['caller'],
  oldest: number,
): Promise<SessionSends> {
  const session = { account_id: accountId, session_id: sessionId };
  const rows = await log.sendsOfSession(tx, session, oldest, MOST_OF_SESSION + 1);
  if (rows.length > MOST_OF_SESSION) return 'too many';
  const all = new Map<number, EarlierSend[]>();
  for (const row of rows) addTo(all, madeOf(row));
  return all;
}

/** Returns the newest earlier send that has the key of a send. */
function findIn(some: readonly EarlierSend[], { reqSeq, fingerprint, caller }: Send): EarlierSend | undefined {
  let found: EarlierSend | undefined;
  for (const made of some) {
    if (made.reqSeq !== reqSeq || made.sessionId !== caller.sessionId || made.fingerprint !== fingerprint) continue;
    if (!found || made.messageId > found.messageId) found = made;
  }
  return found;
}

const madeOf = ({ session_id, req_seq, fingerprint, message_id, created_time }: LoggedSend): EarlierSend => ({
  sessionId: session_id,
  reqSeq: req_seq,
  fingerprint,
  messageId: message_id,
  time: created_time,
});

const markOf = ({ caller, reqSeq, fingerprint }: Send) =>
  [caller.accountId, caller.sessionId, reqSeq, fingerprint as string] as const;

function marksOf({ sessions }: SenderMemory, sessionId: number): Marks {
  let marks = sessions.get(sessionId);
  if (!marks) {
    marks = { highest: 0, forgotten: 0 };
    sessions.set(sessionId, marks);
  }
  return marks;
}

function addTo(all: Map<number, EarlierSend[]>, made: EarlierSend): void {
  const same = all.get(made.reqSeq);
  if (same) same.push(made);
  else all.set(made.reqSeq, [made]);
}

function keepAll(seen: SenderMemory, marks: Marks, all: SessionSends | undefined): void {
  if (!all) return;
  marks.all = all;
  if (all instanceof Map) seen.size += all.size;
}

function forgetAll(seen: SenderMemory, marks: Marks): void {
  if (marks.all instanceof Map) seen.size -= marks.all.size;
  marks.all = undefined;
}

function remember(seen: SenderMemory, made: EarlierSend): void {
  const marks = marksOf(seen, made.sessionId);
  marks.highest = Math.max(marks.highest, made.reqSeq);
  if (marks.all instanceof Map) {
    seen.size -= marks.all.size;
    addTo(marks.all, made);
    seen.size += marks.all.size;
  }
  seen.recent.push(made);
  seen.size += 1;
  if (seen.recent.length <= MOST_RECENT) return;
  seen.size -= 1;
  const { sessionId, reqSeq } = seen.recent.shift() as EarlierSend;
  const past = marksOf(seen, sessionId);
  past.forgotten = Math.max(past.forgotten, reqSeq);
}
