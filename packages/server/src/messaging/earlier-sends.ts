// Which sends came before: one that is repeated after a lost answer gets the message that it made the first time.
// Every send stands in the operation log of its sender. Memory keeps the sends of each log up to a revision; what the
// log has beyond that, be it from another server or from before a restart, is read when the account sends again.
import { limits } from '@sealpost/contract';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../kernel/ports.ts';
import type { Tx } from '../store/store.ts';
import type { Heads, OperationLog } from '../stream/operation-log.ts';
import type { Send } from './send-message.ts';

/** Sends in memory, of all accounts together. */
const MOST_KEPT = 300_000;

interface Made {
  readonly messageId: number;
  readonly time: number;
}

/** By key, oldest first. */
type Sends = Map<string, Made>;

interface Seen {
  /** `sends` are all that the log has up to here. */
  revision: number;
  readonly sends: Sends;
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
  const memory = new LRUCache<number, Seen>({ maxSize: MOST_KEPT, sizeCalculation: ({ sends }) => sends.size + 1 });

  return async (tx: Tx, sends: readonly Send[], heads: Heads): Promise<EarlierSends> => {
    const oldest = clock.now() - limits.requestMemoryMs.value;
    const known = new Map<number, Seen>();
    const behind: [accountId: number, revision: number][] = [];
    for (const { caller } of sends) {
      if (known.has(caller.accountId)) continue;
      const seen = memory.get(caller.accountId) ?? { revision: 0, sends: new Map() };
      known.set(caller.accountId, seen);
      if (seen.revision !== heads.get(caller.accountId)?.revision) behind.push([caller.accountId, seen.revision]);
    }
    // Whoever only receives stays as well known as before.
    for (const [accountId, { revision }] of heads) {
      const seen = known.has(accountId) ? undefined : memory.peek(accountId);
      if (seen?.revision === revision) known.set(accountId, seen);
    }

    const added = new Map<number, Sends>();
    const add = (accountId: number, key: string, made: Made): void => {
      const own = added.get(accountId);
      if (own) own.set(key, made);
      else added.set(accountId, new Map([[key, made]]));
    };
    for (const row of behind.length === 0 ? [] : await log.sendsAfter(tx, behind, oldest)) {
      const key = sendKey(row.session_id, row.req_seq, row.fingerprint);
      add(row.account_id, key, { messageId: row.message_id, time: row.created_time });
    }
    // Only what is committed may be believed; by then the heads stand at what this transaction appended.
    tx.onCommit(() => {
      for (const [accountId, seen] of known) {
        seen.revision = Math.max(seen.revision, heads.get(accountId)?.revision ?? 0);
        const own = added.get(accountId);
        // The memory measures again what is put there; who only received has not changed.
        if (!own && memory.peek(accountId) === seen) continue;
        for (const [key, made] of own ?? []) seen.sends.set(key, made);
        forget(seen.sends, oldest);
        memory.set(accountId, seen);
      }
    });

    return {
      find({ key, caller: { accountId } }) {
        if (key === undefined) return undefined;
        const made = added.get(accountId)?.get(key) ?? known.get(accountId)?.sends.get(key);
        return made && made.time >= oldest ? made.messageId : undefined;
      },
      made({ key, caller }, messageId, time) {
        if (key !== undefined) add(caller.accountId, key, { messageId, time });
      },
    };
  };
}

function forget(sends: Sends, oldest: number): void {
  for (const [key, { time }] of sends) {
    if (time >= oldest) return;
    sends.delete(key);
  }
}
