// Idempotency: the first result of a mutating call, remembered for its session, reqSeq and content, so that a retry
// after a lost answer changes nothing and gets the same result.
import { hash } from 'node:crypto';
import type { Clock } from '@sealpost/contract/ports';
import type { Caller } from '../rpc/call.ts';
import type { Store, Tx } from '../store/store.ts';
import { findRequest, insertRequest } from './queries.ts';

/** Careless clients send 0 and 1 over and over: those are no keys. */
const FIRST_KEY = 2;

export const isKey = (reqSeq: number): boolean => reqSeq >= FIRST_KEY;

/** Method and arguments as 128 bits of text. `chunks` are left out: a retry may seal the same content anew. */
export function fingerprintOf(method: string, args: readonly unknown[]): string {
  // The replacer makes it several times slower, so only arguments that hold chunks pay for it.
  let content = JSON.stringify([method, args]);
  if (content.includes('"chunks"')) {
    content = JSON.stringify([method, args], (key, value: unknown) => (key === 'chunks' ? undefined : value));
  }
  return hash('sha256', content, 'base64url').slice(0, 22);
}

/** What makes two requests the same: who calls what with which arguments. */
export interface Repeatable {
  readonly caller: Caller;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface Mutations {
  /**
   * Runs a change once per (session, method, reqSeq, content): a repeat answers the first result.
   * The result is remembered in the transaction of the change.
   */
  mutate<T>(call: Repeatable, reqSeq: number, work: (tx: Tx) => Promise<T>): Promise<T>;
}

export function createMutations(store: Store, clock: Clock): Mutations {
  return {
    mutate<T>(call: Repeatable, reqSeq: number, work: (tx: Tx) => Promise<T>) {
      if (!isKey(reqSeq)) return store.transact(work);
      const key = [
        call.caller.accountId,
        call.caller.sessionId,
        reqSeq,
        fingerprintOf(call.method, call.args),
      ] as const;
      return store.transact(async (tx) => {
        const done = await tx.one(findRequest, ...key);
        if (done) return JSON.parse(done.result ?? 'null') as T;
        const result = await work(tx);
        await tx.run(insertRequest, ...key, clock.now(), JSON.stringify(result ?? null));
        return result;
      });
    },
  };
}
