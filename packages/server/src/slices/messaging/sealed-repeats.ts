// Refuses a sealed message that its chat already has, so that nobody replays it under another reqSeq. All sends to one
// chat take the same lock. So no other send can insert the same message between the check and the insert.
import { hash } from 'node:crypto';
import { ApiError } from '@sealpost/contract';
import type { Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';
import { isSealed } from './sealed-form.ts';
import type { Send } from './send.ts';
import type { Target } from './targets.ts';

const CIPHER = 1;

/** Identity of a sealed message: its chat and the digest of its ciphertext. */
export type SealedRow = readonly [chatId: number, digest: string];

/**
 * Returns the identity of a sealed message; undefined for a plain message or a refused target. The digest is 132 bits
 * of the ciphertext's hash. The digest leaves out salt and nonce, because the ciphertext cannot be opened with a
 * different salt or nonce.
 */
export function sealedRowOf({ message }: Send, target: Target | ApiError): SealedRow | undefined {
  if (target instanceof ApiError || !isSealed(message)) return undefined;
  return [target.chatId, hash('sha256', message.chunks?.[CIPHER] ?? '', 'base64url').slice(0, 22)];
}

/** The sealed messages that are already stored in their chats. Plain messages are not included. */
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

/** Returns those sealed messages among the sends that are already stored in their chats. */
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
