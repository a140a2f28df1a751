// Idempotency: the first result of a changing call is stored with its session, reqSeq and content. So a call that is
// repeated after a lost answer changes nothing and gets the same result.
import { hash } from 'node:crypto';
import { ApiError } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Caller } from '../rpc/call.ts';
import type { Store, Tx } from '../store/store.ts';
import { findRequest, insertRequest } from './queries.ts';

/**
 * Smallest reqSeq that identifies a request. Smaller numbers identify nothing, because some clients send 0 or 1 with
 * every request.
 */
const FIRST_KEY = 2;

export const isKey = (reqSeq: number): boolean => reqSeq >= FIRST_KEY;

/**
 * Returns a hash of method and arguments, 128 bits as text. `chunks` are left out, because a client that repeats a
 * request may seal the same content again, which changes the chunks.
 */
export function fingerprintOf(method: string, args: readonly unknown[]): string {
  // The replacer makes `JSON.stringify` several times slower, so it is used only for arguments with chunks.
  let content = JSON.stringify([method, args]);
  if (content.includes('"chunks"')) {
    content = JSON.stringify([method, args], (key, value: unknown) => (key === 'chunks' ? undefined : value));
  }
  return hash('sha256', content, 'base64url').slice(0, 22);
}

/** The parts of a request that must be equal in its repeat: caller, method and arguments. */
export interface Repeatable {
  readonly caller: Caller;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface Mutations {
  /**
   * Runs a change once per session, method, reqSeq and content. A repeat returns the first result, which is stored in
   * the transaction of the change.
   */
  mutate<T>(call: Repeatable, reqSeq: number, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Returns whether `mutate` has run this change before. */
  wasDone(call: Repeatable, reqSeq: number): Promise<boolean>;
}

export function createMutations(store: Store, clock: Clock): Mutations {
  return {
    async mutate<T>(call: Repeatable, reqSeq: number, work: (tx: Tx) => Promise<T>) {
      if (!isKey(reqSeq)) return store.transact(work);
      const key = keyOf(call, reqSeq);
      try {
        return await store.transact(async (tx) => {
          const done = await tx.one(findRequest, ...key);
          if (done) return resultOf<T>(done);
          const result = await work(tx);
          await tx.run(insertRequest, ...key, clock.now(), JSON.stringify(result ?? null));
          return result;
        });
      } catch (error) {
        // The first call may have been under way until now. Then its repeat was refused because of what it changed.
        const done =
          error instanceof ApiError ? await store.read((reader) => reader.one(findRequest, ...key)) : undefined;
        if (done) return resultOf<T>(done);
        throw error;
      }
    },
    async wasDone(call, reqSeq) {
      if (!isKey(reqSeq)) return false;
      return (await store.read((reader) => reader.one(findRequest, ...keyOf(call, reqSeq)))) !== undefined;
    },
  };
}

const resultOf = <T>({ result }: { readonly result: string | null }): T => JSON.parse(result ?? 'null') as T;

const keyOf = ({ caller, method, args }: Repeatable, reqSeq: number) =>
  [caller.accountId, caller.sessionId, reqSeq, fingerprintOf(method, args)] as const;
