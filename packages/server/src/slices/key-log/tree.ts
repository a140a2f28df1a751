// The tree over all registered keys, as stored.
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

/** How many keys the log has. */
export async function logSize(reader: Reader): Promise<number> {
  const newest = (await reader.one(q.newestLeaf))?.position ?? null;
  return newest === null ? 0 : newest + 1;
}

/**
 * Appends every key that the log does not have yet: the one that the transaction just registered, and those of a server
 * of an older version. Key ids count the keys of a server without gaps, so that they are the places in the log.
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

const leafOf = ({ mid, key_id: keyId, key_data: keyData, created_time: createdTime }: q.LoggedKeyRow): Bytes =>
  leafHash(encodeKeyLeaf({ midHash: midHash(mid), keyId, key: fromBase64(keyData), createdTime }));

/** Stored nodes never change, so it does not matter what is appended between two readings. */
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
