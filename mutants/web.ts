import type { Mutant } from '../scripts/mutants/mutant.ts';

const mirror = 'packages/web/test/mirror.test.ts';

export default [
  {
    name: 'a chat that is not known yet loses its messages',
    file: 'packages/web/src/chat/client/mirror-state.ts',
    find: '!last && before.get(mid)?.last)',
    replace: '!last)',
    tests: [mirror],
    pattern: 'before the first read',
  },
  {
    name: 'what comes while messages are read is lost',
    file: 'packages/web/src/chat/client/conversation-reads.ts',
    find: 'if (change) missed.push(change);',
    replace: '',
    tests: [mirror],
    pattern: 'is not lost',
  },
  {
    name: 'a conversation has a gap after everything was read again',
    file: 'packages/web/src/chat/rows/conversation.ts',
    find: 'messages: changed, complete: false }',
    replace: 'messages: changed }',
    tests: [mirror],
    pattern: 'leaves no gap',
  },
] satisfies Mutant[];
