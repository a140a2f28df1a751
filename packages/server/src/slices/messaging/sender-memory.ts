// What a server remembers of the sends of accounts. The memory is limited. Of the accounts that sent longest ago, only the
// highest reqSeq of each session stays. That is enough to tell that the next send is new.
import { LRUCache } from 'lru-cache';

/** Maximum number of sends and accounts that are remembered with their sends. */
const MOST_KEPT = 100_000;
/** Maximum number of accounts of which only the highest reqSeqs are remembered. */
const MOST_MARKED = 100_000;

export interface EarlierSend {
  readonly sessionId: number;
  readonly reqSeq: number;
  readonly fingerprint: string;
  readonly messageId: number;
  readonly time: number;
}

/**
 * Highest reqSeq values of one session. `highest` is that of all its sends, `forgotten` that of the sends no longer in
 * `recent`.
 */
export interface Marks {
  highest: number;
  forgotten: number;
  /** All sends of the session; set once one of them had to be looked up in the log. */
  all?: SessionSends | undefined;
}

/** All sends of a session by their reqSeq, or a mark that there are too many to keep. */
export type SessionSends = Map<number, EarlierSend[]> | 'too many';

export interface SenderMemory {
  /** Revision of the log up to which this memory knows all sends. */
  revision: number;
  /** Time at which the sends were first read from the log, in milliseconds since 1970. */
  readonly time: number;
  readonly sessions: Map<number, Marks>;
  /** The account's newest sends, oldest first. */
  readonly recent: EarlierSend[];
  /** Number of sends in this memory, as its size for the cache. */
  size: number;
  /** The size that the cache counts. */
  counted: number;
}

export interface Memory {
  get(accountId: number): SenderMemory | undefined;
  /** Like `get`, but does not count as a use. */
  peek(accountId: number): SenderMemory | undefined;
  /** Keeps what is known of an account, after it has changed. */
  keep(accountId: number, seen: SenderMemory): void;
}

export function createMemory(mostKept = MOST_KEPT): Memory {
  const marked = new LRUCache<number, SenderMemory>({ max: MOST_MARKED });
  const whole = new LRUCache<number, SenderMemory>({
    maxSize: mostKept,
    sizeCalculation: ({ size }) => size + 1,
    dispose(seen, accountId, reason) {
      if (reason === 'evict') marked.set(accountId, withoutSends(seen));
    },
  });
  return {
    get: (accountId) => whole.get(accountId) ?? marked.get(accountId),
    peek: (accountId) => whole.peek(accountId) ?? marked.peek(accountId),
    keep(accountId, seen) {
      if (seen.size === 0 && marked.peek(accountId) === seen) return;
      if (seen.size === seen.counted && whole.peek(accountId) === seen) return;
      // The cache measures the size of an entry only when it is added, so a changed entry is removed and added again.
      marked.delete(accountId);
      whole.delete(accountId);
      seen.counted = seen.size;
      whole.set(accountId, seen);
    },
  };
}

/** Returns a copy without the sends. Whatever is not above the highest reqSeq must then be looked up in the log. */
function withoutSends({ revision, time, sessions }: SenderMemory): SenderMemory {
  const marks = [...sessions].map(([id, { highest }]): [number, Marks] => [id, { highest, forgotten: highest }]);
  return { revision, time, sessions: new Map(marks), recent: [], size: 0, counted: 0 };
}
