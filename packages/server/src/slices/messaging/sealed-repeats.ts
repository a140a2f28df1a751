// A sealed message is taken once: whoever repeats its bytes under another reqSeq, to have it read a second time, is
// refused. Sends to one chat hold a lock in common, so looking and adding is one step.
import { hash } from 'node:crypto';
import { ApiError } from '@sealpost/contract';
import type { Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';
import { isSealed } from './sealed-form.ts';
import type { Send } from './send.ts';
import type { Target } from './targets.ts';

const CIPHER = 1;

/** What a sealed message is known by. */
export type SealedRow = readonly [chatId: number, digest: string];

/** 128 bits of the ciphertext's hash; undefined for a plain message. Salt and nonce cannot change: it would be unreadable. */
export function sealedRowOf({ message }: Send, target: Target | ApiError): SealedRow | undefined {
  if (target instanceof ApiError || !isSealed(message)) return undefined;
  return [target.chatId, hash('sha256', message.chunks?.[CIPHER] ?? '', 'base64url').slice(0, 22)];
}

/** Sealed messages that their chats have. Plain ones, which have no row, are never among them. */
export class KnownSealed {
  readonly #known: Set<string>;

  constructor(rows: readonly SealedRow[]) {
    this.#known = new Set(rows.map(keyOf));
  }

  has(row: SealedRow | undefined): boolean {
    return row !== undefined && this.#known.has(keyOf(row));
  }

  add(row: SealedRow | undefined): void {
    if (row) this.#known.add(keyOf(row));
  }
}

const keyOf = (row: SealedRow): string => row.join(' ');

/** Those of some sends that their chats have already. */
export async function findSealed(
  tx: Tx,
  sends: readonly { readonly sealed: SealedRow | undefined }[],
): Promise<KnownSealed> {
  const rows = sends.flatMap(({ sealed }) => (sealed ? [sealed] : []));
  if (rows.length === 0) return new KnownSealed([]);
  const known = await tx.each(q.knownSealed, rows);
  return new KnownSealed(known.map(({ chat_id, digest }): SealedRow => [chat_id, digest]));
}

export async function storeSealed(tx: Tx, rows: readonly SealedRow[]): Promise<void> {
  if (rows.length > 0) await tx.each(q.insertSealed, rows);
}
