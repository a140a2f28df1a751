import type { Mutant } from '../scripts/mutants/mutant.ts';

const history = 'packages/server/src/slices/messaging/history.ts';
const pages = 'packages/server/test/platform/rpc/page-limits.test.ts';

export default [
  {
    name: 'answers that nobody reads are not counted',
    file: 'packages/server/src/platform/rpc/unread-answers.ts',
    find: 'unread.note(answer, unreadBytes(response));',
    replace: '',
    tests: ['packages/server/test/platform/rpc/unread-answers.test.ts'],
    pattern: 'leave no more unread',
  },
  {
    name: 'a page of history is cut in silence',
    file: history,
    find: 'while (shown.length < page.limit) {',
    replace: 'while (shown.length < Math.min(page.limit, 100)) {',
    tests: [pages],
    pattern: 'as many messages as are asked for',
  },
  {
    name: 'a count beyond its limit is taken',
    file: 'packages/contract/src/schema.ts',
    find: "maximum: limits[limit].value, 'x-limit': limit",
    replace: "maximum: 2147483647, 'x-limit': limit",
    tests: [pages],
    pattern: 'beyond the limit',
  },
  {
    name: 'an answer may hold any number of bytes',
    file: 'packages/server/src/platform/rpc/answer-room.ts',
    find: 'if (taken <= most) return;',
    replace: 'if (taken > 0) return;',
    tests: [pages],
    pattern: 'no more bytes',
  },
  {
    name: 'a chat is hidden up to the newest message, whichever is given',
    file: 'packages/server/src/slices/messaging/hide-chat.ts',
    find: 'const upTo = asked === 0 ? newest : Math.min(asked, newest);',
    replace: 'const upTo = newest;',
    tests: ['packages/server/test/slices/messaging/messaging.test.ts'],
    pattern: 'hidden up to',
  },
] satisfies Mutant[];
