// Reads of the log for open streams. Reads that start at the same moment share one query.
import type { Store } from '../store/store.ts';
import { type Chunk, chunkOf } from './frames.ts';
import type { LoggedOperation, News, OperationLog } from './operation-log.ts';

/** What a read of a log found. */
export interface LogPart {
  /** The next operations; undefined if none were found. */
  readonly chunk: Chunk | undefined;
  /** True if the log ended after these operations when it was read. */
  readonly isEnd: boolean;
  /** The newest revision of the log, if the read found it; otherwise 0. */
  readonly head: number;
}

export interface LogReads {
  head(accountId: number): ReturnType<OperationLog['head']>;
  /** Returns the operations after a revision, at most `limit`. */
  next(accountId: number, revision: number, limit: number): Promise<LogPart>;
  /**
   * Returns the next few operations after a revision. One query reads the news of all accounts that are asked for at
   * the same moment.
   */
  news(accountId: number, revision: number): Promise<LogPart>;
}

export function createLogReads(store: Store, log: OperationLog, chunkBytes: number): LogReads {
  const reads = new Map<string, Promise<LogPart>>();
  let gathered: { readonly revisions: Map<number, number>; readonly news: Promise<News> } | undefined;

  // Only reads that start at the same moment share a query. An older result may lack operations that a wake-up
  // announced after the older read.
  function shared(key: string, read: () => Promise<LogPart>): Promise<LogPart> {
    const same = reads.get(key);
    if (same) return same;
    const part = read();
    reads.set(key, part);
    queueMicrotask(() => reads.delete(key));
    return part;
  }

  const partOf = (found: readonly LoggedOperation[], isEnd: boolean, head = 0): LogPart => {
    const chunk = chunkOf(found, chunkBytes);
    return { chunk, isEnd: isEnd && !chunk?.isCut, head };
  };

  /** Returns the news of all accounts that are gathered in this turn. */
  function gather(accountId: number, revision: number): Promise<News> {
    if (!gathered) {
      const revisions = new Map<number, number>();
      const news = Promise.resolve().then(() => {
        gathered = undefined;
        return store.read((reader) => log.readNews(reader, [...revisions]));
      });
      gathered = { revisions, news };
    }
    const { revisions, news } = gathered;
    // If the streams of an account have different positions, those that are ahead leave out what they have.
    revisions.set(accountId, Math.min(revision, revisions.get(accountId) ?? revision));
    return news;
  }

  return {
    head: (accountId) => store.read((reader) => log.head(reader, accountId)),
    next: (accountId, revision, limit) =>
      shared(`${accountId} ${revision} ${limit}`, async () => {
        const found = await store.read((reader) => log.readAfter(reader, accountId, revision, limit));
        return partOf(found, found.length < limit);
      }),
    news: (accountId, revision) =>
      shared(`${accountId} ${revision}`, async () => {
        const found = (await gather(accountId, revision)).get(accountId);
        if (!found) return partOf([], true);
        const operations = found.operations.filter((operation) => operation.revision > revision);
        return partOf(operations, found.head === operations.at(-1)?.revision, found.head);
      }),
  };
}
