// What open streams read of the log. Those that ask for the same at the same moment share the answer.
import type { Store } from '../store/store.ts';
import { type Chunk, chunkOf } from './frames.ts';
import type { OperationLog } from './operation-log.ts';

export interface LogReads {
  head(accountId: number): ReturnType<OperationLog['head']>;
  /** What comes after a revision, at most `limit` operations; undefined if there is nothing. */
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
      // Only at the same moment: an answer that was asked for earlier may lack what a wake-up told since.
      queueMicrotask(() => reads.delete(key));
      return chunk;
    },
  };
}
