// The reads of open streams, over logs that the test plays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../src/platform/store/store.ts';
import { createLogReads, type LogPart } from '../../../src/platform/stream/log-reads.ts';
import type { LoggedOperation, OperationLog } from '../../../src/platform/stream/operation-log.ts';

const MOST_NEWS = 8;

const operation = (accountId: number, revision: number): LoggedOperation => ({
  ...{ accountId, revision, createdTime: revision, type: 1, reqSeq: 0, status: 0 },
  ...{ param1: null, param2: null, param3: null, body: null },
});

/** Logs by account: the revisions that are stored. */
function stage(logs: Readonly<Record<number, readonly number[]>>, chunkBytes = 1_000_000) {
  const asked: string[] = [];
  const after = (accountId: number, revision: number): LoggedOperation[] =>
    (logs[accountId] ?? []).filter((stored) => stored > revision).map((stored) => operation(accountId, stored));
  const log = {
    readAfter: async (_reader, accountId, revision, limit) => {
      asked.push(`next ${accountId} after ${revision}`);
      return after(accountId, revision).slice(0, limit);
    },
    readNews: async (_reader, revisions) => {
      asked.push(`news ${revisions.map(([accountId, revision]) => `${accountId} after ${revision}`).join(', ')}`);
      const grown = revisions.filter(([accountId, revision]) => (logs[accountId]?.at(-1) ?? 0) > revision);
      return new Map(
        grown.map(([accountId, revision]) => {
          const operations = after(accountId, revision).filter((found) => found.revision <= revision + MOST_NEWS);
          return [accountId, { head: logs[accountId]?.at(-1) ?? 0, operations }];
        }),
      );
    },
  } satisfies Partial<OperationLog> as unknown as OperationLog;
  const store = { read: (work: (reader: never) => unknown) => work(undefined as never) } as unknown as Store;
  return { asked, reads: createLogReads(store, log, chunkBytes) };
}

const shortOf = ({ chunk, isEnd }: LogPart) => [chunk?.first, chunk?.last, isEnd];

test('news of many accounts, and equal ones, are read with one query', async () => {
  const { reads, asked } = stage({ 1: [1, 2], 2: [1], 3: [1, 2, 3] });
  const parts = await Promise.all([reads.news(1, 1), reads.news(2, 1), reads.news(3, 1), reads.news(1, 1)]);
  assert.deepEqual(parts.map(shortOf), [
    [2, 2, true],
    [undefined, undefined, true],
    [2, 3, true],
    [2, 2, true],
  ]);
  assert.equal(parts[0]?.chunk, parts[3]?.chunk);
  assert.deepEqual(asked, ['news 1 after 1, 2 after 1, 3 after 1']);
  await reads.news(1, 2);
  assert.equal(asked.length, 2, 'a later read does not get an older result');
});

test('streams of one account at different positions get what each of them lacks', async () => {
  const { reads, asked } = stage({ 1: [1, 2, 3, 4] });
  const parts = await Promise.all([reads.news(1, 3), reads.news(1, 1)]);
  assert.deepEqual(parts.map(shortOf), [
    [4, 4, true],
    [2, 4, true],
  ]);
  assert.deepEqual(asked, ['news 1 after 1']);
});

test('more news than one query brings are not the end of the log', async () => {
  const { reads } = stage({ 1: Array.from({ length: 20 }, (_, n) => n + 1) });
  const parts = await Promise.all([reads.news(1, 2), reads.news(1, 12)]);
  assert.deepEqual(parts.map(shortOf), [
    [3, 10, false],
    // Its position is beyond what the query reads for the other stream.
    [undefined, undefined, false],
  ]);
  assert.deepEqual(shortOf(await reads.next(1, 12, 200)), [13, 20, true]);
});

test('news that are not stored any more are not the end of the log', async () => {
  const { reads } = stage({ 1: [50, 51] });
  const news = await reads.news(1, 3);
  assert.deepEqual([...shortOf(news), news.head], [undefined, undefined, false, 51]);
  assert.deepEqual(shortOf(await reads.next(1, 3, 8)), [50, 51, true]);
});

test('a part ends before a gap, and the next part begins behind it', async () => {
  // A log that is trimmed meanwhile keeps single sends of its account.
  const { reads } = stage({ 1: [4, 5, 7, 9, 10] });
  assert.deepEqual(shortOf(await reads.next(1, 3, 8)), [4, 5, false]);
  assert.deepEqual(shortOf(await reads.next(1, 5, 8)), [7, 7, false]);
  assert.deepEqual(shortOf(await reads.news(1, 3)), [4, 5, false]);
});

test('a read that fills its limit, or is cut at the bytes of a buffer, is not the end of the log', async () => {
  const logs = { 1: [1, 2, 3] };
  assert.deepEqual(shortOf(await stage(logs).reads.next(1, 0, 3)), [1, 3, false]);
  assert.deepEqual(shortOf(await stage(logs, 10).reads.next(1, 0, 8)), [1, 1, false]);
  assert.deepEqual(shortOf(await stage(logs, 10).reads.news(1, 0)), [1, 1, false]);
});
