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
    file: 'packages/server/src/slices/contacts/friends.ts',
    find: '  await tx.run(q.deleteRelationsTo, accountId);\n',
    replace: '',
    tests,
    pattern,
  },
  {
    name: 'reactions that only a deleted account saw stay',
    file: 'packages/server/src/slices/messaging/forget-account.ts',
    find: '  await tx.run(q.dropReactionsOnlyFor, accountId, accountId);\n',
    replace: '',
    tests,
    pattern: 'withheld from everybody else',
  },
  {
    name: 'two accounts of a chat that are deleted at once do not see each other',
    file: 'packages/server/src/slices/messaging/forget-account.ts',
    find: '  await tx.all(q.lockChatsOf, accountId);\n',
    replace: '',
    tests: ['packages/server/test/slices/accounts/deleted-accounts.test.ts'],
    pattern: 'the deletion of the other one',
    needs: ['postgres'],
  },
  {
    name: 'a refused first message leaves a chat of the deleted account',
    file: 'packages/server/src/slices/messaging/send-message.ts',
    find: 'if (!heads.has(id)) await tx.run(q.dropBoxesOf, id);',
    replace: 'heads.has(id);',
    tests: ['packages/server/test/slices/accounts/deleted-accounts.test.ts'],
    pattern: 'a first message',
    needs: ['postgres'],
  },
  {
    name: 'a deleted account goes on changing things',
    file: 'packages/server/src/platform/stream/operation-log.ts',
    find: "      if (operation.reqSeq !== undefined) throw new ApiError('SESSION_LOGGED_OUT');\n",
    replace: '',
    tests: ['packages/server/test/slices/accounts/own-deletion.test.ts'],
    pattern: 'changes nothing',
  },
  {
    name: 'a deleted account asks for pushes',
    file: 'packages/server/src/slices/push/handlers.ts',
    find: '        await holdLiving(tx, accountId);\n',
    replace: '',
    tests: ['packages/server/test/slices/accounts/own-deletion.test.ts'],
    pattern: 'changes nothing',
  },
  {
    name: 'a deleted account begins an upload',
    file: 'packages/server/src/slices/media/upload-slot.ts',
    find: '    await holdLiving(tx, accountId);\n',
    replace: '',
    tests: ['packages/server/test/slices/accounts/own-deletion.test.ts'],
    pattern: 'changes nothing',
  },
  {
    name: 'deleted rows stay in the file',
    file: 'packages/server/src/platform/store/sqlite-connection.ts',
    find: 'pragma secure_delete = on; ',
    replace: 'pragma secure_delete = off; ',
    tests: ['packages/server/test/platform/store/secure-delete.test.ts'],
    pattern: 'no trace',
  },
  {
    name: 'contacts stay of a deleted account with many followers',
    file: 'packages/server/src/slices/contacts/friends.ts',
    find: "    if (news.type === 'NOTIFIED_UNREGISTER_USER') await forgetFriends(tx, accountId, friends, isLast);\n",
    replace: '',
    tests: ['packages/server/test/slices/contacts/many-followers.test.ts'],
    pattern: 'on sqlite',
  },
] satisfies Mutant[];
