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
  readonly messageId: number;
  readonly time: number;
}

/** By key, oldest first. */
type Sends = Map<string, Made>;

interface Seen {
  /** What is known are all sends that the log has up to here. */
  revision: number;
  /** When it was read from the log. */
  readonly time: number;
  readonly recent: Sends;
  /** The highest reqSeq of each session, of sends that are not among the recent ones. */
  readonly highest: Map<number, number>;
}

export interface EarlierSends {
  /** The id of the message that a send made when it came before. */
  find(send: Send): number | undefined;
  /** Remembers a send from the commit on. */
  made(send: Send, messageId: number, time: number): void;
}

/** What makes two sends of an account the same. */
export const sendKey = (sessionId: number, reqSeq: number, fingerprint: string) =>
  `${sessionId} ${reqSeq} ${fingerprint}`;

/** Answers what is known of the senders of some sends; `heads` must hold the logs of all of them. */
export function createEarlierSends({ log, clock }: { readonly log: OperationLog; readonly clock: Clock }) {
  const memory = new LRUCache<number, Seen>({ maxSize: MOST_KEPT, sizeCalculation: ({ recent }) => recent.size + 1 });

  return async (tx: Tx, sends: readonly Send[], heads: Heads): Promise<EarlierSends> => {
    const now = clock.now();
    const oldest = now - limits.requestMemoryMs.value;
    const known = new Map<number, Seen>();
    const behind: [accountId: number, revision: number][] = [];
    for (const { caller } of sends) {
      if (known.has(caller.accountId)) continue;
      let seen = memory.get(caller.accountId);
      // A high reqSeq of long ago, as a counter that began anew leaves it, must not hold for ever.
      if (!seen || seen.time < oldest) seen = { revision: 0, time: now, recent: new Map(), highest: new Map() };
      known.set(caller.accountId, seen);
      if (seen.revision !== heads.get(caller.accountId)?.revision) behind.push([caller.accountId, seen.revision]);
    }
    // Whoever only receives stays as well known as before.
    for (const [accountId, { revision }] of heads) {
      const seen = known.has(accountId) ? undefined : memory.peek(accountId);
      if (seen?.revision === revision) known.set(accountId, seen);
    }
    for (const mark of behind.length === 0 ? [] : await log.highestSends(tx, behind, oldest)) {
      raise((known.get(mark.account_id) as Seen).highest, mark.session_id, mark.req_seq);
    }

    const unsure = sends.filter(({ key, reqSeq, caller: { accountId, sessionId } }) => {
      const { recent, highest } = known.get(accountId) as Seen;
      return key !== undefined && !recent.has(key) && reqSeq <= (highest.get(sessionId) ?? 0);
    });
    const found = new Map<string, number>();
    for (const row of unsure.length === 0 ? [] : await log.sendsLike(tx, unsure.map(markOf), oldest)) {
      found.set(sendKey(row.session_id, row.req_seq, row.fingerprint), row.message_id);
    }

    const added = new Map<number, Sends>();
    // Only what is committed may be believed; by then the heads stand at what this transaction appended.
    tx.onCommit(() => {
      for (const [accountId, seen] of known) {
        seen.revision = Math.max(seen.revision, heads.get(accountId)?.revision ?? 0);
        const own = added.get(accountId);
        // The memory measures again what is put there; who only received has not changed.
        if (!own && memory.peek(accountId) === seen) continue;
        for (const [key, made] of own ?? []) seen.recent.set(key, made);
        forgetOldest(seen);
        memory.set(accountId, seen);
      }
    });

    return {
      find({ key, caller: { accountId } }) {
        if (key === undefined) return undefined;
        const made = known.get(accountId)?.recent.get(key);
        return made && made.time >= oldest ? made.messageId : found.get(key);
      },
      made({ key, reqSeq, caller: { accountId, sessionId } }, messageId, time) {
        if (key === undefined) return;
        const own = added.get(accountId);
        const made = { sessionId, reqSeq, messageId, time };
        if (own) own.set(key, made);
        else added.set(accountId, new Map([[key, made]]));
      },
    };
  };
}

const markOf = ({ caller, reqSeq, fingerprint }: Send) =>
  [caller.accountId, caller.sessionId, reqSeq, fingerprint] as const;

function raise(highest: Map<number, number>, sessionId: number, reqSeq: number): void {
  if (reqSeq > (highest.get(sessionId) ?? 0)) highest.set(sessionId, reqSeq);
}

function forgetOldest({ recent, highest }: Seen): void {
  let surplus = recent.size - MOST_RECENT;
  for (const [key, { sessionId, reqSeq }] of recent) {
    if (surplus-- <= 0) return;
    recent.delete(key);
    raise(highest, sessionId, reqSeq);
  }
}
