import type { Mutant } from '../scripts/mutants/mutant.ts';

export default [
  {
    name: 'any version of a backup is replaced',
    file: 'packages/server/src/slices/key-backup/handlers.ts',
    find: 'if (stored.version !== expected) {',
    replace: 'if (stored.version < expected) {',
    tests: ['packages/server/test/slices/key-backup/key-backup.test.ts'],
    pattern: 'knows the version',
  },
  {
    name: 'a backup has no limit',
    file: 'packages/server/src/slices/key-backup/handlers.ts',
    find: 'if (bytes.length > MAX_BYTES) {',
    replace: 'if (bytes.length > MAX_BYTES + 1) {',
    tests: ['packages/server/test/slices/key-backup/key-backup.test.ts'],
    pattern: 'too large is refused',
  },
  {
    name: 'reading a backup is told to nobody',
    file: 'packages/server/src/slices/key-backup/handlers.ts',
    find: "        await tell(tx, caller, 'backup-read');\n",
    replace: '',
    tests: ['packages/server/test/slices/key-backup/key-backup.test.ts'],
    pattern: 'every store, read and delete',
  },
] satisfies Mutant[];
