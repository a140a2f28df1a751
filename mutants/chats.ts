import type { Mutant } from '../scripts/mutants/mutant.ts';

const inviting = 'packages/server/src/slices/chats/invite.ts';
const ending = 'packages/server/src/slices/chats/end-invitation.ts';
const removing = 'packages/server/src/slices/chats/remove-members.ts';
const members = 'packages/server/src/slices/chats/members.ts';
const locking = 'packages/server/src/slices/chats/lock-chat.ts';
const targets = 'packages/server/src/slices/chats/targets.ts';
const update = 'packages/server/src/slices/chats/update-chat.ts';
const groups = 'packages/server/src/slices/chats/group-chats.ts';
const queries = 'packages/server/src/slices/chats/queries.ts';
const foreignIds = 'packages/server/test/platform/rpc/foreign-ids.test.ts';
const view = 'packages/server/src/slices/chats/chat-view.ts';
const sides = 'packages/server/test/slices/messaging/visibility.test.ts';
const chats = 'packages/server/test/slices/chats/chats.test.ts';

export default [
  {
    name: 'each of many new members of a room is told to each other',
    file: inviting,
    find: 'newcomers.length > MOST_JOINS_TOLD;',
    replace: 'newcomers.length > 1e9;',
    tests: ['packages/server/test/slices/chats/many-targets.test.ts'],
    pattern: 'on sqlite',
  },
  {
    name: 'a room keeps its history for those who leave it',
    file: 'packages/server/src/slices/chats/leave-chat.ts',
    find: '    await removeUpTo(tx, deps.clock, accountId, roomMid, newest);\n',
    replace: '',
    tests: [chats],
    pattern: 'who leaves a room removes',
  },
  {
    name: 'a muted group alerts for its system messages',
    file: 'packages/server/src/slices/messaging/system-message.ts',
    find: 'muted: silent = false',
    replace: 'silent = false',
    tests: ['packages/server/test/slices/profile/enforced-settings.test.ts'],
    pattern: 'system messages of a muted group',
  },
  {
    name: 'an invitee is a member at once',
    file: members,
    find: '[q.places.INVITED, q.places.INVITED_WITHHELD]',
    replace: '[q.places.JOINED, q.places.INVITED_WITHHELD]',
    tests: [sides],
    pattern: 'an invitee sees',
  },
  {
    name: 'a member added to a room reads what came before',
    file: inviting,
    find: 'inviterId: accountId, after });',
    replace: 'inviterId: accountId, after: after - after });',
    tests: [sides],
    pattern: 'came later',
  },
  {
    name: 'a user who accepts reads what came before',
    file: ending,
    find: 'inviterId: caller.accountId,\n      after,',
    replace: 'inviterId: caller.accountId,\n      after: after - after,',
    tests: [sides],
    pattern: 'came later',
  },
  {
    name: 'a user who left reads on',
    file: groups,
    find: '      if (spans.at(-1)?.before_message_id !== null) return [];\n',
    replace: '',
    tests: [sides],
    pattern: 'left and came back',
  },
  {
    name: 'a user who came back reads what was between',
    file: groups,
    find: 'before: span.before_message_id ?? ALWAYS',
    replace: 'before: ALWAYS',
    tests: [sides],
    pattern: 'left and came back',
  },
  {
    name: 'a user who came back has lost its first stay',
    file: members,
    find: '    parties.map(({ accountId }) => [chat.chatId, accountId, before]),',
    replace: '    parties.slice(1).map(({ accountId }) => [chat.chatId, accountId, before]),',
    tests: [sides],
    pattern: 'left and came back',
  },
  {
    name: 'a user who was removed gets messages from a remembered list of members',
    file: members,
    find: '  await drop(tx, chat, parties);\n  await tx.run(q.raiseVersion, chat.chatId);',
    replace: '  await drop(tx, chat, parties);',
    tests: [sides],
    pattern: 'was removed from a group',
  },
  {
    name: 'a user who joined gets nothing, from a remembered list of members',
    file: members,
    find: '  await openBoxes(tx, chat, parties);\n  await tx.run(q.raiseVersion, chat.chatId);',
    replace: '  await openBoxes(tx, chat, parties);',
    tests: [chats],
    pattern: 'room is known|each member reads|one message for all|who accepts while',
  },
  {
    name: 'a chat of others costs more than one that is not there',
    file: queries,
    find: 'join chat_member m on m.chat_id = c.id and m.account_id = ? and',
    replace: 'left join chat_member m on m.chat_id = c.id and m.account_id = ? and',
    tests: [foreignIds],
    pattern: 'inviteIntoChat',
  },
  {
    name: 'a send finds a chat of others before it is refused',
    file: queries,
    find: 'join chat_member m on m.chat_id = c.id and m.account_id = given.account_id and m.joined = 1',
    replace: 'left join chat_member m on m.chat_id = c.id and m.account_id = given.account_id and m.joined = 1',
    tests: [foreignIds],
    pattern: 'message in a group, write: TalkService.sendMessage',
  },
  {
    name: 'an invitee invites, removes and renames',
    file: locking,
    find: 'if (!chat || !has(toldOf(chat.members), caller)) throw',
    replace: 'if (!chat || !has([...chat.members, ...chat.invitees], caller)) throw',
    tests: [chats],
    pattern: 'an invitee may only',
  },
  {
    name: 'anybody accepts an invitation',
    file: locking,
    find: 'if (!chat || !has(toldOf(chat.invitees), caller)) {',
    replace: 'if (!chat) {',
    tests: [chats],
    pattern: 'no invitation to accept',
  },
  {
    name: 'a cancelled invitation stands',
    file: ending,
    find: '    await drop(tx, chat, cancelled);\n',
    replace: '',
    tests: [chats],
    pattern: 'cancelChatInvitation',
  },
  {
    name: 'a rejected invitation stands',
    file: ending,
    find: '    await drop(tx, chat, [caller]);\n',
    replace: '',
    tests: [chats],
    pattern: 'rejectChatInvitation',
  },
  {
    name: 'a user who was removed is told of what comes after',
    file: removing,
    find: '      readers: staying,\n    });\n    return {};',
    replace: '      readers: chat.members,\n    });\n    return {};',
    tests: [chats],
    pattern: 'deleteOtherFromChat tells',
  },
  {
    name: 'members of a room are removed',
    file: removing,
    find: "if (chat.isRoom) throw new ApiError('INVALID_STATE'",
    replace: "if (!chat) throw new ApiError('INVALID_STATE'",
    tests: [chats],
    pattern: 'room is known',
  },
  {
    name: 'a chat holds one more than it may',
    file: targets,
    find: 'if (parties > most) {',
    replace: 'if (parties > most + 1) {',
    tests: ['packages/server/test/start/limit-settings.test.ts'],
    pattern: 'size of chats',
  },
  {
    name: 'a chat holds one less than it may',
    file: targets,
    find: 'if (parties > most) {',
    replace: 'if (parties >= most) {',
    tests: ['packages/server/test/start/limit-settings.test.ts'],
    pattern: 'size of chats',
  },
  {
    name: 'a user who is invited already is invited again',
    file: targets,
    find: 'marked.filter((user) => !has(parties, user))',
    replace: '[...marked]',
    tests: [chats],
    pattern: 'inviteIntoChat tells|targets that make no sense',
  },
  {
    name: 'a name that the mask leaves out changes',
    file: update,
    find: 'if ((mask & Number(bit)) !== 0) apply(draft, update, row);',
    replace:
      'if ((mask & Number(bit)) !== 0 || (bit === String(bits.NAME) && update.chatName)) apply(draft, update, row);',
    tests: [chats],
    pattern: 'beyond the mask',
  },
  {
    name: 'favourites are told to other members',
    file: update,
    find: 'shared === 0 ? [] : newsOf',
    replace: 'shared < 0 ? [] : newsOf',
    tests: [chats],
    pattern: 'attributes of the mask',
  },
  {
    name: 'strangers see a chat by its mid',
    file: 'packages/server/src/slices/chats/queries.ts',
    find: '   join chat_member m on m.chat_id = c.id and m.account_id = given.account_id and m.joined in (0, 1)`,',
    replace: '   join chat_member m on m.chat_id = c.id`,',
    tests: [chats],
    pattern: 'getChats leaves out',
  },
  {
    name: 'members are listed as invitees',
    file: view,
    find: 'inviteeMids: midsOf(false)',
    replace: 'inviteeMids: midsOf(true)',
    tests: [chats],
    pattern: 'createChat makes a group',
  },
] satisfies Mutant[];
