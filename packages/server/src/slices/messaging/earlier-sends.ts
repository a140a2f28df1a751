// Which sends came before: one that is repeated after a lost answer gets the message that it made the first time.
// Every send stands in the operation log of its sender, and nowhere else: an index would cost each send one more page.
// Nearly all clients count upwards, so a send whose reqSeq is above all earlier ones of its session is new. Memory keeps
// these highest ones, and the newest sends of each account for those that arrive out of turn. At the first send that
// neither can tell, as after a counter began anew, all sends of its session are read from the log and kept as well.
import { limits } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { LRUCache } from 'lru-cache';
import { timeOfId } from '../../platform/kernel/ids.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Heads, LoggedSend, OperationLog } from '../../platform/stream/operation-log.ts';
import type { Send } from './send.ts';

/** Newest sends in memory: of one account, and of all together. */
const MOST_RECENT = 64;
const MOST_KEPT = 100_000;
/** Sends of one session in memory. Of sessions with more, each doubt is looked for in the log. */
const MOST_OF_SESSION = 20_000;

interface Made {
  readonly sessionId: number;
  readonly reqSeq: number;
  readonly fingerprint: string;
  readonly messageId: number;
  readonly time: number;
}

/** The reqSeq of a session's sends: the highest of all, and the highest of those that are not among the recent ones. */
interface Marks {
  highest: number;
  forgotten: number;
  /** Once one was in doubt. */
  all?: All | undefined;
}

/** All sends of a session by their reqSeq. */
type All = Map<number, Made[]> | 'too many';

interface Seen {
  /** What is known are all sends that the log has up to here. */
  revision: number;
  /** When it was read from the log. */
  readonly time: number;
  readonly sessions: Map<number, Marks>;
  /** Oldest first. */
  readonly recent: Made[];
  /** How many sends are kept here. */
  size: number;
}

/** Returns what is known of the senders of some sends; `heads` must hold the logs of all of them. */
export function createEarlierSends({ log, clock }: { readonly log: OperationLog; readonly clock: Clock }) {
  const memory: Memory = new LRUCache({ maxSize: MOST_KEPT, sizeCalculation: ({ size }) => size + 1 });

  return async (tx: Tx, sends: readonly Send[], heads: Heads): Promise<EarlierSends> => {
    const now = clock.now();
    const oldest = now - limits.requestMemoryMs.value;
    const known = knownOf(memory, sends, heads, { now, oldest });
    await catchUp(tx, log, known, heads, oldest);
    const doubts = await lookUp(tx, log, known, sends, oldest);
    const earlier = new EarlierSends(known, doubts, oldest);
    // Only what is committed may be believed; by then the heads stand at what this transaction appended.
    tx.onCommit(() => earlier.keepIn(memory, heads));
    return earlier;
  };
}

type Memory = LRUCache<number, Seen>;
type Known = ReadonlyMap<number, Seen>;

/** What the log told where memory could not. */
interface Doubts {
  readonly sessions: ReadonlyMap<Marks, All>;
  /** Those that sessions with too many sends were asked for. */
  readonly logged: readonly Made[];
}

/** The sends that senders made before, and those of this transaction. */
export class EarlierSends {
  readonly #known: Known;
  readonly #doubts: Doubts;
  /** Sends before this time are forgotten. */
  readonly #oldest: number;
  readonly #added = new Map<number, Made[]>();

  constructor(known: Known, doubts: Doubts, oldest: number) {
    this.#known = known;
    this.#doubts = doubts;
    this.#oldest = oldest;
  }

  /** The id of the message that the send made when it came before. */
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
    return made && made.time >= this.#oldest ? made.messageId : undefined;
  }

  /** Remembers what a send made: for the sends that it came with, for others from the commit on. */
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
      const before = seen.size;
      seen.revision = Math.max(seen.revision, heads.get(accountId)?.revision ?? 0);
      if (sessions.size > 0) for (const marks of seen.sessions.values()) keepAll(seen, marks, sessions.get(marks));
      for (const made of this.#added.get(accountId) ?? []) remember(seen, made);
      if (seen.size === before && memory.peek(accountId) === seen) continue;
      // What is there already would not be measured anew.
      memory.delete(accountId);
      memory.set(accountId, seen);
    }
  }
}

function knownOf(
  memory: Memory,
  sends: readonly Send[],
  heads: Heads,
  { now, oldest }: { readonly now: number; readonly oldest: number },
): Known {
  const known = new Map<number, Seen>();
  for (const { caller } of sends) {
    if (known.has(caller.accountId)) continue;
    const seen = memory.get(caller.accountId);
    // A high reqSeq of long ago, as a counter that began anew leaves it, must not hold for ever.
    const isOld = !seen || seen.time < oldest;
    known.set(caller.accountId, isOld ? { revision: 0, time: now, sessions: new Map(), recent: [], size: 0 } : seen);
  }
  // Whoever only receives stays as well known as before.
  for (const [accountId, { revision }] of heads) {
    const seen = known.has(accountId) ? undefined : memory.peek(accountId);
    if (seen?.revision === revision) known.set(accountId, seen);
  }
  return known;
}

/** Raises the marks of senders whose logs grew by more than memory saw. */
async function catchUp(tx: Tx, log: OperationLog, known: Known, heads: Heads, oldest: number): Promise<void> {
  const behind: [accountId: number, revision: number][] = [];
  for (const [accountId, { revision }] of known) {
    if (revision !== heads.get(accountId)?.revision) behind.push([accountId, revision]);
  }
  for (const mark of behind.length === 0 ? [] : await log.highestSends(tx, behind, oldest)) {
    const seen = known.get(mark.account_id) as Seen;
    const marks = marksOf(seen, mark.session_id);
    marks.highest = Math.max(marks.highest, mark.req_seq);
    marks.forgotten = Math.max(marks.forgotten, mark.req_seq);
    // Another server made them, so these are not all of them any more.
    forgetAll(seen, marks);
  }
}

/** Looks in the log for the sends that memory cannot tell to be new. */
async function lookUp(
  tx: Tx,
  log: OperationLog,
  known: Known,
  sends: readonly Send[],
  oldest: number,
): Promise<Doubts> {
  const read = new Map<Marks, All>();
  const logged: Made[] = [];
  for (const send of sends) {
    const { recent, sessions } = known.get(send.caller.accountId) as Seen;
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
): Promise<All> {
  const session = { account_id: accountId, session_id: sessionId };
  const rows = await log.sendsOfSession(tx, session, oldest, MOST_OF_SESSION + 1);
  if (rows.length > MOST_OF_SESSION) return 'too many';
  const all = new Map<number, Made[]>();
  for (const row of rows) addTo(all, madeOf(row));
  return all;
}

function findIn<M extends Made>(some: readonly M[], { reqSeq, fingerprint, caller }: Send): M | undefined {
  return some.find(
    (made) => made.reqSeq === reqSeq && made.sessionId === caller.sessionId && made.fingerprint === fingerprint,
  );
}

const madeOf = ({ session_id, req_seq, fingerprint, message_id, created_time }: LoggedSend): Made => ({
  sessionId: session_id,
  reqSeq: req_seq,
  fingerprint,
  messageId: message_id,
  time: created_time,
});

const markOf = ({ caller, reqSeq, fingerprint }: Send) =>
  [caller.accountId, caller.sessionId, reqSeq, fingerprint as string] as const;

function marksOf({ sessions }: Seen, sessionId: number): Marks {
  let marks = sessions.get(sessionId);
  if (!marks) {
    marks = { highest: 0, forgotten: 0 };
    sessions.set(sessionId, marks);
  }
  return marks;
}

function addTo(all: Map<number, Made[]>, made: Made): void {
  const same = all.get(made.reqSeq);
  if (same) same.push(made);
  else all.set(made.reqSeq, [made]);
}

function keepAll(seen: Seen, marks: Marks, all: All | undefined): void {
  if (!all) return;
  marks.all = all;
  if (all instanceof Map) seen.size += all.size;
}

function forgetAll(seen: Seen, marks: Marks): void {
  if (marks.all instanceof Map) seen.size -= marks.all.size;
  marks.all = undefined;
}

function remember(seen: Seen, made: Made): void {
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
  const { sessionId, reqSeq } = seen.recent.shift() as Made;
  const past = marksOf(seen, sessionId);
  past.forgotten = Math.max(past.forgotten, reqSeq);
}
