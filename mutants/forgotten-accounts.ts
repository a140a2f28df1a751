import type { Mutant } from '../scripts/mutants/mutant.ts';

const slices = 'packages/server/src/start/slices.ts';
const tests = ['packages/server/test/slices/accounts/forgotten-accounts.test.ts'];
const pattern = 'list with reasons';

export default [
  {
    name: 'messages that only a deleted account saw stay',
    file: slices,
    find: '      await forgetMessages(tx, id);\n',
    replace: '',
    tests,
    pattern,
  },
  {
    name: 'reports keep the words about a deleted account',
    file: slices,
    find: '      await forgetReports(tx, id);\n',
    replace: '',
    tests,
    pattern,
  },
  {
    name: 'others keep their names for a deleted account',
    file: 'packages/server/src/slices/contacts/forget-account.ts',
    find: '  await tx.run(deleteRelationsTo, account.id);\n',
    replace: '',
    tests,
    pattern,
  },
  {
    name: 'deleted rows stay in the file',
    file: 'packages/server/src/platform/store/sqlite-connection.ts',
    find: 'pragma secure_delete = on; ',
    replace: 'pragma secure_delete = off; ',
    tests: ['packages/server/test/platform/store/secure-delete.test.ts'],
    pattern: 'no trace',
  },
] satisfies Mutant[];
