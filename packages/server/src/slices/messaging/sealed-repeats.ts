// A sealed message is taken once: whoever repeats its bytes under another reqSeq, to have it read a second time, is
// refused. Sends to one chat hold a lock in common, so looking and adding is one step.
import { hash } from 'node:crypto';
import type { Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';
import { isSealed } from './sealed-form.ts';
import type { Send } from './send.ts';
import type { Target } from './targets.ts';

const CIPHER = 1;

export interface SealedRepeats {
  /** Whether the chat has this sealed message; remembers it if not. False for plain messages. */
  isRepeat(send: Send, target: Target): boolean;
  /** Stores what was remembered. */
  store(): Promise<void>;
}

const NONE: SealedRepeats = { isRepeat: () => false, store: async () => {} };

export async function findSealedRepeats(
  tx: Tx,
  sends: readonly Send[],
  targets: readonly (Target | undefined)[],
): Promise<SealedRepeats> {
  const rows = sends.flatMap((send, i) => {
    const target = targets[i];
    return target && isSealed(send.message) ? [rowOf(send, target)] : [];
  });
  if (rows.length === 0) return NONE;
  const known = new Set((await tx.each(q.knownSealed, rows)).map((row) => `${row.chat_id} ${row.digest}`));
  const added: Row[] = [];
  return {
    isRepeat(send, target) {
      if (!isSealed(send.message)) return false;
      const row = rowOf(send, target);
      const key = row.join(' ');
      if (known.has(key)) return true;
      known.add(key);
      added.push(row);
      return false;
    },
    store: async () => {
      if (added.length > 0) await tx.each(q.insertSealed, added);
    },
  };
}

type Row = readonly [chatId: number, digest: string];

/** 128 bits of the ciphertext's hash. Salt and nonce can not be changed without making it unreadable. */
const rowOf = ({ message }: Send, { chatId }: Target): Row => [
  chatId,
  hash('sha256', message.chunks?.[CIPHER] ?? '', 'base64url').slice(0, 22),
];
