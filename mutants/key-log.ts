import type { Mutant } from '../scripts/mutants/mutant.ts';

export default [
  {
    name: 'the log proves keys that it does not have',
    file: 'packages/server/src/slices/key-log/handlers.ts',
    find: 'if (keyId < 1 || keyId > treeSize) {',
    replace: 'if (keyId < 1) {',
    tests: ['packages/server/test/slices/key-log/key-log.test.ts'],
    pattern: 'does not have is not proved',
  },
] satisfies Mutant[];
