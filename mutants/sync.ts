import type { Mutant } from '../scripts/mutants/mutant.ts';

export default [
  {
    name: 'a poll outlives its session',
    file: 'packages/server/src/start/session-watch.ts',
    find: '    polls.endSession(sessionId);\n',
    replace: '',
    tests: ['packages/server/test/slices/sync/fetch-ops.test.ts'],
    pattern: 'ends with the next one',
  },
  {
    name: 'a poll that another server ended goes on',
    file: 'packages/server/src/start/session-watch.ts',
    find: '...polls.openSessions(accountId)]',
    replace: ']',
    tests: ['packages/server/test/start/servers-without-bus.test.ts'],
    pattern: 'nothing but poll',
    needs: ['postgres'],
  },
  {
    name: 'a poll that was left is not ended by the next',
    file: 'packages/server/src/slices/sync/fetch-ops.ts',
    find: '    waiting.get(sessionId)?.end();\n    const poll',
    replace: '    const poll',
    tests: ['packages/server/test/slices/sync/fetch-ops.test.ts'],
    pattern: 'ends with the next one',
  },
  {
    name: 'a revision ahead of the log waits for it',
    file: 'packages/server/src/slices/sync/fetch-ops.ts',
    find: 'if (revision > head.revision) {',
    replace: 'if (revision < 0) {',
    tests: ['packages/server/test/slices/sync/fetch-ops.test.ts'],
    pattern: 'Refuses revisions',
  },
  {
    name: 'a poll begins at the first operation',
    file: 'packages/server/src/slices/sync/fetch-ops.ts',
    find: 'const from = named ?? (await store.read((reader) => log.head(reader, accountId))).revision;',
    replace: 'const from = named ?? 0;',
    tests: ['packages/server/test/slices/sync/fetch-ops.test.ts'],
    pattern: 'from now on',
  },
] satisfies Mutant[];
