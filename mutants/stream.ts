import type { Mutant } from '../scripts/mutants/mutant.ts';

const log = 'packages/server/src/platform/stream/operation-log.ts';
const openStreams = 'packages/server/src/platform/stream/open-streams.ts';
const stream = 'packages/server/src/platform/stream/stream.ts';
const reads = 'packages/server/src/platform/stream/log-reads.ts';
const unread = 'packages/server/src/platform/stream/unread.ts';
const foundLogs = 'packages/server/test/platform/stream/found-logs.test.ts';
const order = 'packages/server/test/platform/stream/stream-order.test.ts';
const slow = 'packages/server/test/platform/stream/slow-streams.test.ts';

export default [
  {
    name: 'a part of a log has a gap',
    file: 'packages/server/src/platform/stream/frames.ts',
    find: '    if (operation.revision !== first.revision + count) break;\n',
    replace: '',
    tests: ['packages/server/test/platform/stream/log-reads.test.ts'],
    pattern: 'before a gap',
  },
  {
    name: 'operations reach streams before the commit',
    file: log,
    find: 'tx.onCommit(() => publish(logged));',
    replace: 'publish(logged);',
    tests: [order],
    pattern: 'after the commit',
  },
  {
    name: 'hooks run before the commit on SQLite',
    file: 'packages/server/src/platform/store/sqlite-writer.ts',
    find: "      crashPoint('transaction.written');\n",
    replace: "      runHooks(taken.hooks, onError);\n      crashPoint('transaction.written');\n",
    tests: [order],
    pattern: 'after the commit',
  },
  {
    name: 'hooks run before the commit on PostgreSQL',
    file: 'packages/server/src/platform/store/postgres-writers.ts',
    find: "        options.crashPoint('transaction.written');\n",
    replace: "        runHooks(hooks, options.onError);\n        options.crashPoint('transaction.written');\n",
    tests: [order],
    pattern: 'after the commit',
    needs: ['postgres'],
  },
  {
    name: 'who is to be told is not looked up again while the logs are locked',
    file: log,
    find: '    found = await find();\n',
    replace: '',
    tests: [foundLogs],
    pattern: 'contact while its name',
    needs: ['postgres'],
  },
  {
    name: 'a stream gets no pings',
    file: stream,
    find: '      this.#write(PING);\n',
    replace: '',
    tests: [order],
    pattern: 'a ping comes',
  },
  {
    name: 'pings come late',
    file: stream,
    find: '      this.#nextPing = now + this.#context.pingMs;',
    replace: '      this.#nextPing = now + this.#context.pingMs * 1.2;',
    tests: [order],
    pattern: 'a ping comes',
  },
  {
    name: 'a log is sent as fast as it is read, whether its client takes it or not',
    file: stream,
    find: '    await this.sink.drained();\n',
    replace: '',
    tests: ['packages/server/test/platform/stream/backfill.test.ts'],
  },
  {
    name: 'a server that stops says nothing to its streams',
    file: 'packages/server/src/start/drain.ts',
    find: 'openStreams.closeAll(RECONNECT, async',
    replace: 'openStreams.closeAll(Buffer.alloc(0), async',
    tests: [order],
    pattern: 'a server that stops',
  },
  {
    name: 'wake-ups of other servers are ignored',
    file: 'packages/server/src/start/session-watch.ts',
    find: "    if (kind === 'log') woken(accountId);\n",
    replace: "    if (kind === 'log') return;\n",
    tests: [order],
    pattern: 'wake-up alone',
    needs: ['postgres', 'nats'],
  },
  {
    name: 'other servers are not woken',
    file: 'packages/server/src/start/wire.ts',
    find: "if (bus.kind !== 'local') bus.wake('log',",
    replace: "if (bus.kind === 'local') bus.wake('log',",
    tests: [order],
    pattern: 'wake-up alone',
    needs: ['postgres', 'nats'],
  },
  {
    name: 'each stream holds bytes of its own',
    file: openStreams,
    find: 'const bytes = made.get(place) ?? framesOf(operations.slice(place));',
    replace: 'const bytes = framesOf(operations.slice(place));',
    tests: [slow],
    pattern: 'hold the same bytes',
  },
  {
    name: 'streams that read the log at the same moment each hold bytes of their own',
    file: reads,
    find: 'if (same) return same;',
    replace: 'if (same) reads.delete(key);',
    tests: [slow],
    pattern: 'hold the same bytes',
  },
  {
    name: 'news that are not stored any more look like the end of the log',
    file: reads,
    find: 'found.head === operations.at(-1)?.revision',
    replace: 'true',
    tests: ['packages/server/test/platform/stream/log-reads.test.ts'],
    pattern: 'not stored any more',
  },
  {
    name: 'all streams together may leave any number of bytes unread',
    file: unread,
    find: 'if (recount() <= mostBytes) return;',
    replace: 'if (recount() > 0) return;',
    tests: [slow],
    pattern: 'all streams together',
  },
  {
    name: 'the streams that owe least are cut',
    file: unread,
    find: 'b[1] - a[1]',
    replace: 'a[1] - b[1]',
    tests: [slow],
    pattern: 'all streams together',
  },
] satisfies Mutant[];
