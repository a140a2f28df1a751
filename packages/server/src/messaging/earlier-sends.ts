// Which sends came before: one that is repeated after a lost answer gets the message that it made the first time.
// Every send stands in the operation log of its sender, and nowhere else: an index would cost each send one more page.
// Nearly all clients count upwards, so a send whose reqSeq is above all earlier ones of its session is new. Memory keeps
// these highest ones, and the newest sends of each account for those that arrive out of turn; only what neither can
// tell is looked for in the log.
import { limits } from '@sealpost/contract';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../kernel/ports.ts';
import type { Tx } from '../store/store.ts';
import type { Heads, OperationLog } from '../stream/operation-log.ts';
import type { Send } from './send-message.ts';

/** Newest sends in memory: of one account, and of all together. */
const MOST_RECENT = 64;
const MOST_KEPT = 100_000;

interface Made {
  readonly sessionId: number;
  readonly reqSeq: number;
  readonly fingerprint: string;
  readonly messageId: number;
  readonly time: number;
  /** Its place among the sends that it came with. */
  readonly at: number;
}

/** The reqSeq of a session's sends: the highest of all, and the highest of those that are not among the recent ones. */
interface Marks {
  highest: number;
  forgotten: number;
}

interface Seen {
  /** What is known are all sends that the log has up to here. */
  revision: number;
  /** When it was read from the log. */
  readonly time: number;
  readonly sessions: Map<number, Marks>;
  /** Oldest first. */
  readonly recent: Made[];
}

/** What a send did when it came before: the message, or its first coming among the same sends. */
export type Before = { readonly messageId: number } | { readonly at: number };

export interface EarlierSends {
  find(send: Send): Before | undefined;
  /** Remembers the send at this place: for the sends that it came with at once, for others from the commit on. */
  made(send: Send, at: number, messageId: number, time: number): void;
}

/** Answers what is known of the senders of some sends; `heads` must hold the logs of all of them. */
export function createEarlierSends({ log, clock }: { readonly log: OperationLog; readonly clock: Clock }) {
  const memory = new LRUCache<number, Seen>({ maxSize: MOST_KEPT, sizeCalculation: ({ recent }) => recent.length + 1 });

  return async (tx: Tx, sends: readonly Send[], heads: Heads): Promise<EarlierSends> => {
    const now = clock.now();
    const oldest = now - limits.requestMemoryMs.value;
    const known = new Map<number, Seen>();
    const behind: [accountId: number, revision: number][] = [];
    for (const { caller } of sends) {
      if (known.has(caller.accountId)) continue;
      let seen = memory.get(caller.accountId);
      // A high reqSeq of long ago, as a counter that began anew leaves it, must not hold for ever.
      if (!seen || seen.time < oldest) seen = { revision: 0, time: now, sessions: new Map(), recent: [] };
      known.set(caller.accountId, seen);
      if (seen.revision !== heads.get(caller.accountId)?.revision) behind.push([caller.accountId, seen.revision]);
    }
    // Whoever only receives stays as well known as before.
    for (const [accountId, { revision }] of heads) {
      const seen = known.has(accountId) ? undefined : memory.peek(accountId);
      if (seen?.revision === revision) known.set(accountId, seen);
    }
    for (const mark of behind.length === 0 ? [] : await log.highestSends(tx, behind, oldest)) {
      const marks = marksOf(known.get(mark.account_id) as Seen, mark.session_id);
      marks.highest = Math.max(marks.highest, mark.req_seq);
      marks.forgotten = Math.max(marks.forgotten, mark.req_seq);
    }

    const unsure = sends.filter((send) => {
      const seen = known.get(send.caller.accountId) as Seen;
      const marks = seen.sessions.get(send.caller.sessionId);
      return marks && send.reqSeq <= marks.forgotten && send.fingerprint !== undefined && !findIn(seen.recent, send);
    });
    const logged = unsure.length === 0 ? [] : await log.sendsLike(tx, unsure.map(markOf), oldest);

    const added = new Map<number, Made[]>();
    // Only what is committed may be believed; by then the heads stand at what this transaction appended.
    tx.onCommit(() => {
      for (const [accountId, seen] of known) {
        seen.revision = Math.max(seen.revision, heads.get(accountId)?.revision ?? 0);
        const size = seen.recent.length;
        for (const made of added.get(accountId) ?? []) remember(seen, made);
        // The memory measures anew what is put there.
        if (seen.recent.length !== size || memory.peek(accountId) !== seen) memory.set(accountId, seen);
      }
    });

    return {
      find(send) {
        const { reqSeq, fingerprint, caller } = send;
        if (fingerprint === undefined) return undefined;
        const twin = findIn(added.get(caller.accountId) ?? [], send);
        if (twin) return { at: twin.at };
        const seen = known.get(caller.accountId) as Seen;
        if (reqSeq > (seen.sessions.get(caller.sessionId)?.highest ?? 0)) return undefined;
        const made = findIn(seen.recent, send);
        if (made && made.time >= oldest) return { messageId: made.messageId };
        const row = logged.find((other) => isSame(other.session_id, other.req_seq, other.fingerprint, send));
        return row && { messageId: row.message_id };
      },
      made({ reqSeq, fingerprint, caller: { accountId, sessionId } }, at, messageId, time) {
        if (fingerprint === undefined) return;
        const made = { sessionId, reqSeq, fingerprint, messageId, time, at };
        const own = added.get(accountId);
        if (own) own.push(made);
        else added.set(accountId, [made]);
      },
    };
  };
}

const isSame = (sessionId: number, reqSeq: number, fingerprint: string, send: Send): boolean =>
  reqSeq === send.reqSeq && sessionId === send.caller.sessionId && fingerprint === send.fingerprint;

const findIn = (some: readonly Made[], send: Send): Made | undefined =>
  some.find((made) => isSame(made.sessionId, made.reqSeq, made.fingerprint, send));

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

function remember(seen: Seen, made: Made): void {
  const marks = marksOf(seen, made.sessionId);
  marks.highest = Math.max(marks.highest, made.reqSeq);
  seen.recent.push(made);
  if (seen.recent.length <= MOST_RECENT) return;
  const { sessionId, reqSeq } = seen.recent.shift() as Made;
  const past = marksOf(seen, sessionId);
  past.forgotten = Math.max(past.forgotten, reqSeq);
}
