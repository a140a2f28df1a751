// The stored Merkle tree over all registered keys.
import { limits } from '@sealpost/contract';
import {
  appendLeaves,
  type Bytes,
  encodeKeyLeaf,
  fromBase64,
  leafHash,
  midHash,
  type ReadNodes,
  toBase64,
} from '@sealpost/crypto';
import type { Reader, Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';

const PAGE = limits.keyLogPage.value;

/** Returns the number of keys in the log. */
export async function logSize(reader: Reader): Promise<number> {
  const newest = (await reader.one(q.newestLeaf))?.position ?? null;
  return newest === null ? 0 : newest + 1;
}

/**
 * Appends every registered key that the log lacks: the key that this transaction registered, and keys that were
 * registered before the server kept a log. Key ids have no gaps, so an id tells the key's place in the log.
 */
export async function extendLog(tx: Tx): Promise<void> {
  await tx.one(q.holdLog);
  let size = await logSize(tx);
  for (;;) {
    const keys = await tx.all(q.keysAfter, size, PAGE);
    if (keys.length === 0) return;
    if (keys.some((key, i) => key.key_id !== size + i + 1)) throw new Error(`the log of keys has a gap after ${size}`);
    const nodes = await appendLeaves(size, keys.map(leafOf), nodesFrom(tx));
    await tx.each(
      q.insertNodes,
      nodes.map(({ level, index, hash }) => [level, index, toBase64(hash)]),
    );
    size += keys.length;
  }
}

/** Returns the hash of the leaf for a registered key. */
export const leafOf = ({ mid, key_id: keyId, key_data: keyData, created_time: createdTime }: q.LoggedKeyRow): Bytes =>
  leafHash(encodeKeyLeaf({ midHash: midHash(mid), keyId, key: fromBase64(keyData), createdTime }));

/**
 * Returns a function that reads nodes of the tree. Stored nodes never change, so appends between two reads do no harm.
 */
export function nodesFrom(reader: Reader): ReadNodes {
  return async (places) => {
    const rows = await reader.each(
      q.nodesAt,
      places.map(({ level, index }) => [level, index]),
    );
    const hashes = new Map(rows.map((row) => [`${row.level} ${row.position}`, row.hash]));
    return places.map(({ level, index }) => {
      const hash = hashes.get(`${level} ${index}`);
      if (hash === undefined) throw new Error(`the log of keys has lost node ${index} of level ${level}`);
      return fromBase64(hash);
    });
  };
}
