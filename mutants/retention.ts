import type { Mutant } from '../scripts/mutants/mutant.ts';

const retention = 'packages/server/src/start/upkeep.ts';
const log = 'packages/server/src/platform/stream/operation-log.ts';
const forgetting = 'packages/server/test/start/retention.test.ts';

export default [
  {
    name: 'operations are kept forever',
    file: retention,
    find: 'now - operationDays * DAY_MS',
    replace: '0',
    tests: [forgetting],
    pattern: 'operation stays in the log',
  },
  {
    name: 'operations go a day early',
    file: retention,
    find: '- operationDays * DAY_MS',
    replace: '- (operationDays - 1) * DAY_MS',
    tests: [forgetting],
    pattern: 'operation stays in the log',
  },
  {
    name: 'the log keeps one operation too many',
    file: log,
    find: 'olderThan), end - keep);',
    replace: 'olderThan), end - keep - 1);',
    tests: [forgetting],
    pattern: 'newest operations',
  },
  {
    name: 'the log keeps any number of operations',
    file: log,
    find: 'olderThan), end - keep);',
    replace: 'olderThan));',
    tests: [forgetting],
    pattern: 'newest operations',
  },
  {
    name: 'sends leave the log before their repeats are forgotten',
    file: log,
    find: 'floor, clock.now() - limits.requestMemoryMs.value)',
    replace: 'floor, clock.now() + limits.requestMemoryMs.value)',
    tests: ['packages/server/test/slices/messaging/earlier-sends.test.ts'],
    pattern: 'log was trimmed',
  },
  {
    name: 'sends stay in the table forever',
    file: log,
    find: '      await tx.run(q.deleteBelow, accountId, remembered);\n',
    replace: '',
    tests: [forgetting],
    pattern: 'below the log',
  },
  {
    name: 'operations stay in the table as long as sends',
    file: log,
    find: '      await tx.run(q.deleteOthersThanSends, accountId, head.first_revision, floor);\n',
    replace: '',
    tests: [forgetting],
    pattern: 'below the log',
  },
  {
    name: 'ended sessions are kept forever',
    file: retention,
    find: '    await sessions.sweep(now - ENDED_SESSION_MS);\n',
    replace: '',
    tests: [forgetting],
    pattern: 'session that ended',
  },
  {
    name: 'ended sessions go a moment early',
    file: retention,
    find: 'sessions.sweep(now - ENDED_SESSION_MS)',
    replace: 'sessions.sweep(now - ENDED_SESSION_MS + 1)',
    tests: [forgetting],
    pattern: 'session that ended',
  },
  {
    name: 'only the first accounts are swept',
    file: retention,
    find: 'after = accounts.at(-1)?.id ?? 0;',
    replace: 'after = accounts.at(-1)?.id ?? after;',
    tests: [forgetting],
    pattern: 'repeated call',
  },
] satisfies Mutant[];
