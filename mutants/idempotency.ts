import type { Mutant } from '../scripts/mutants/mutant.ts';

const requests = 'packages/server/src/platform/idempotency/mutations.ts';
const retention = 'packages/server/src/start/upkeep.ts';
const repeats = 'packages/server/test/platform/idempotency/idempotency.test.ts';
const earlier = 'packages/server/test/slices/messaging/earlier-sends.test.ts';
const forgetting = 'packages/server/test/start/retention.test.ts';

export default [
  {
    name: 'a reqSeq of another session is a repeat',
    file: requests,
    find: '[caller.accountId, caller.sessionId, reqSeq, ',
    replace: '[caller.accountId, 0, reqSeq, ',
    tests: [repeats],
    pattern: 'another session',
  },
  {
    name: 'the same arguments to another method are a repeat',
    file: requests,
    find: 'let content = JSON.stringify([method, args]);',
    replace: 'let content = JSON.stringify([args]);',
    tests: [repeats],
    pattern: 'another method',
  },
  {
    name: 'other arguments are a repeat',
    file: requests,
    find: 'let content = JSON.stringify([method, args]);',
    replace: 'let content = JSON.stringify([method, args.length]);',
    tests: [repeats],
    pattern: 'other arguments',
  },
  {
    name: 'reqSeq 1 is a key',
    file: requests,
    find: 'const FIRST_KEY = 2;',
    replace: 'const FIRST_KEY = 1;',
    tests: [repeats],
    pattern: 'below 2',
  },
  {
    name: 'reqSeq 2 is not a key',
    file: requests,
    find: 'const FIRST_KEY = 2;',
    replace: 'const FIRST_KEY = 3;',
    tests: [repeats],
    pattern: 'below 2',
  },
  {
    name: 'a repeat runs again',
    file: requests,
    find: 'if (done) return JSON.parse(done.result ?? ',
    replace: 'if (done && done.result === undefined) return JSON.parse(done.result ?? ',
    tests: [repeats],
    pattern: 'createChat, repeated',
  },
  {
    name: 'a repeat answers nothing',
    file: requests,
    find: 'JSON.stringify(result ?? null)',
    replace: 'JSON.stringify(null)',
    tests: [repeats],
    pattern: 'createChat, repeated',
  },
  {
    name: 'results are not remembered',
    file: requests,
    find: '        await tx.run(insertRequest, ...key, clock.now(), JSON.stringify(result ?? null));\n',
    replace: '',
    tests: [repeats],
    pattern: 'setChatHiddenStatus, repeated',
  },
  {
    name: 'requests are forgotten at once',
    file: retention,
    find: 'now - limits.requestMemoryMs.value',
    replace: 'now + 1',
    tests: [forgetting],
    pattern: 'repeated call',
  },
  {
    name: 'requests are never forgotten',
    file: retention,
    find: '        await tx.run(forgetRequests, id, now - limits.requestMemoryMs.value);\n',
    replace: '',
    tests: [forgetting],
    pattern: 'repeated call',
  },
  {
    name: 'requests are forgotten a moment early',
    file: 'packages/server/src/platform/idempotency/queries.ts',
    find: "'delete from request where account_id = ? and created_time < ?'",
    replace: "'delete from request where account_id = ? and created_time <= ?'",
    tests: [forgetting],
    pattern: 'repeated call',
  },
  {
    name: 'requests of everybody go with those of one account',
    file: 'packages/server/src/platform/idempotency/queries.ts',
    find: "'delete from request where account_id = ? and created_time < ?'",
    replace: "'delete from request where account_id >= ? - 1000000000000000 and created_time < ? + 86400000'",
    tests: [forgetting],
    pattern: 'repeated call',
  },
  {
    name: 'sends are not known after a restart',
    file: 'packages/server/src/slices/messaging/earlier-sends.ts',
    find: 'limits.requestMemoryMs.value',
    replace: '0',
    tests: [earlier],
    pattern: 'after a restart',
  },
  {
    name: 'a send that waits together with its repetition is stored twice',
    file: 'packages/server/src/slices/messaging/earlier-sends.ts',
    find: '    if (twin) return twin.messageId;\n',
    replace: '',
    tests: [earlier],
    pattern: 'wait for the database together',
  },
] satisfies Mutant[];
