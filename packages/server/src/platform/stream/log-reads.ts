// Reads of the log for open streams. Equal reads that start at the same moment share one query.
import type { Store } from '../store/store.ts';
import { type Chunk, chunkOf } from './frames.ts';
import type { OperationLog } from './operation-log.ts';

export interface LogReads {
  head(accountId: number): ReturnType<OperationLog['head']>;
  /** Returns the operations after a revision, at most `limit`; undefined if there are none. */
  next(accountId: number, revision: number, limit: number): Promise<Chunk | undefined>;
}

export function createLogReads(store: Store, log: OperationLog, chunkBytes: number): LogReads {
  const reads = new Map<string, Promise<Chunk | undefined>>();
  return {
    head: (accountId) => store.read((reader) => log.head(reader, accountId)),
    next(accountId, revision, limit) {
      const key = `${accountId} ${revision} ${limit}`;
      const same = reads.get(key);
      if (same) return same;
      const chunk = store
        .read((reader) => log.readAfter(reader, accountId, revision, limit))
        .then((found) => chunkOf(found, chunkBytes));
      reads.set(key, chunk);
      // Only reads that start at the same moment share a query. An older result may lack operations that a wake-up
      // announced after the older read.
      queueMicrotask(() => reads.delete(key));
      return chunk;
    },
  };
}
