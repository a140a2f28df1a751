import type { Mutant } from '../scripts/mutants/mutant.ts';

const chat = 'packages/sdk/src/export/export-chat.ts';
const ofAccount = ['packages/sdk/test/export.test.ts'];
const ofAdministrator = ['packages/server/test/slices/account-export/account-export.test.ts'];

export default [
  {
    name: 'an export by an administrator leaves no trace',
    file: 'packages/server/src/slices/account-export/admin-routes.ts',
    find: "deps.audit.record(tx, { actor, action: 'account.export', subject: found.mid, detail: '{}' })",
    replace: 'Promise.resolve()',
    tests: ofAdministrator,
    pattern: 'in the audit log',
  },
  {
    name: 'a token of a program gets archives',
    file: 'packages/contract/src/admin-people.ts',
    find: "scope: 'server'",
    replace: "scope: 'accounts'",
    tests: ofAdministrator,
    pattern: 'in the audit log',
  },
  {
    name: 'an opened message keeps its sealed form',
    file: chat,
    find: 'const { chunks: _sealed, ...content } = opened;',
    replace: 'const content = opened;',
    tests: ofAccount,
    pattern: 'has the profile, the people',
  },
  {
    name: 'the files of a long chat are in the wrong order',
    file: chat,
    find: 'files.unshift(',
    replace: 'files.push(',
    tests: ofAccount,
    pattern: 'several files',
  },
  {
    name: 'a client that leaves its archive counts as a fault of the server',
    file: 'packages/server/src/platform/json-api/json-routes.ts',
    find: 'if (!problem && !isClientGone(error, reply)) onFault(error);',
    replace: 'if (!problem) onFault(error);',
    tests: ['packages/server/test/platform/json-api/client-gone.test.ts'],
  },
] satisfies Mutant[];
