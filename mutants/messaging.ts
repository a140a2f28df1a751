import type { Mutant } from '../scripts/mutants/mutant.ts';

const unsend = 'packages/server/src/slices/messaging/unsend-message.ts';
const readMarks = 'packages/server/src/slices/messaging/read-marks.ts';
const removal = 'packages/server/src/slices/messaging/remove-history.ts';
const change = 'packages/server/src/slices/messaging/message-change.ts';
const reactions = 'packages/server/src/slices/messaging/reactions.ts';
const conversation = 'packages/server/src/slices/messaging/conversation.ts';
const history = 'packages/server/src/slices/messaging/history.ts';
const boxes = 'packages/server/src/slices/messaging/boxes.ts';
const queries = 'packages/server/src/slices/messaging/queries.ts';
const messaging = 'packages/server/test/slices/messaging/messaging.test.ts';
const content = 'packages/server/src/slices/messaging/content.ts';
const forgetting = 'packages/server/test/start/retention.test.ts';
const sides = 'packages/server/test/slices/messaging/visibility.test.ts';

export default [
  {
    name: 'the unread count of a box counts what came after its newest message was read',
    file: history,
    find: 'const before = Math.min(span.before, newest + 1);',
    replace: 'const before = span.before;',
    tests: ['packages/server/test/slices/messaging/boxes-while-sending.test.ts'],
    needs: ['postgres'],
  },
  {
    name: 'anybody of the chat unsends',
    file: unsend,
    find: 'message.sender_id !== call.caller.accountId || message.content_type',
    replace: 'message.content_type',
    tests: [messaging],
    pattern: 'unsending leaves',
  },
  {
    name: 'an unsent message keeps its reactions',
    file: unsend,
    find: '      await tx.run(q.dropReactions, message.chat_id, message.id);\n',
    replace: '',
    tests: [messaging],
    pattern: 'unsent message keeps',
  },
  {
    name: 'a message is unsent at any age',
    file: unsend,
    find: '> limits.unsendWindowMs.value) {',
    replace: '> Number.MAX_SAFE_INTEGER) {',
    tests: [forgetting],
    pattern: 'unsent in the last millisecond',
  },
  {
    name: 'a message is not unsent at the last moment',
    file: unsend,
    find: '> limits.unsendWindowMs.value) {',
    replace: '>= limits.unsendWindowMs.value) {',
    tests: [forgetting],
    pattern: 'unsent in the last millisecond',
  },
  {
    name: 'the read mark goes back',
    file: readMarks,
    find: '      if (seen <= box.seen_message_id) return null;\n',
    replace: '',
    tests: [messaging],
    pattern: 'read marks move',
  },
  {
    name: 'the read mark goes beyond the newest message',
    file: readMarks,
    find: 'Math.min(parseI64(wireId) ?? 0, newest)',
    replace: 'parseI64(wireId) ?? 0',
    tests: [messaging],
    pattern: 'read mark beyond',
  },
  {
    name: 'removal goes beyond the newest message',
    file: removal,
    find: 'const cut = asked === 0 ? newest : Math.min(asked, newest)',
    replace: 'const cut = asked === 0 ? newest : asked',
    tests: [messaging],
    pattern: 'read mark beyond',
  },
  {
    name: 'an unsent message takes reactions',
    file: change,
    find: '!found || !message || message.unsent === 1',
    replace: '!found || !message',
    tests: [messaging],
    pattern: 'unsent message keeps',
  },
  {
    name: 'cancelling a reaction that is not there is told',
    file: reactions,
    find: '        return null;\n      }\n      const change',
    replace: '      }\n      const change',
    tests: [messaging],
    pattern: 'cancelling a reaction',
  },
  {
    name: 'removed history is found by message id',
    file: conversation,
    find: 'return cut === 0\n    ? spans',
    replace: 'return cut >= 0\n    ? spans',
    tests: [sides],
    pattern: 'removed the history',
  },
  {
    name: 'the removed message itself stays readable',
    file: conversation,
    find: 'after: Math.max(s.after, cut), before',
    replace: 'after: Math.max(s.after, cut - 1), before',
    tests: [messaging],
    pattern: 'removing history hides',
  },
  {
    name: 'a message id opens chats that the reader is not in',
    file: conversation,
    find: 'if (!conversation?.spans.some((s) => message.id > s.after && message.id < s.before)) return undefined;',
    replace: 'if (!conversation) return undefined;',
    tests: [sides],
    pattern: 'member that came later',
  },
  {
    name: 'a message for one person is found by others',
    file: queries,
    find: ' and (m.only_for is null or m.only_for = b.account_id)\n   where l.id = ?',
    replace: '\n   where l.id = ?',
    tests: [sides],
    pattern: 'from a blocked sender',
  },
  {
    name: 'a page of history includes its boundary',
    file: history,
    find: 'page.before ?? Number.MAX_SAFE_INTEGER);',
    replace: '(page.before ?? Number.MAX_SAFE_INTEGER - 1) + 1);',
    tests: [sides],
    pattern: 'left and came back',
  },
  {
    name: 'a page over several times in a group is larger than asked for',
    file: history,
    find: 'const left = page.limit - rows.length;',
    replace: 'const left = page.limit;',
    tests: [sides],
    pattern: 'left and came back',
  },
  {
    name: 'own messages count as unread',
    file: queries,
    find: '`sender_id <> ${reader} and',
    replace: '`sender_id <> ${reader} + 1000000 and',
    tests: [messaging],
    pattern: 'read marks move',
  },
  {
    name: 'tombstones count as unread',
    file: queries,
    find: 'unsent = 0 and content_type <> 18`',
    replace: 'content_type <> 18`',
    tests: [messaging],
    pattern: 'unreadOnly',
  },
  {
    name: 'an unread count reads all messages',
    file: history,
    find: 'let left: number = limits.unreadCounted.value;',
    replace: 'let left = 1_000_000;',
    tests: ['packages/server/test/platform/rpc/page-limits.test.ts'],
    pattern: 'counted among the newest',
  },
  {
    name: 'a page of boxes never says that there is more',
    file: boxes,
    find: 'hasNext = true;',
    replace: 'hasNext = false;',
    tests: [messaging],
    pattern: 'page by chat id',
  },
  {
    name: 'a hidden chat stays hidden after its next message',
    file: boxes,
    find: 'row.hidden_message_id > 0 && row.hidden_message_id >= newest',
    replace: 'row.hidden_message_id > 0',
    tests: [messaging],
    pattern: 'hidden up to',
  },
  {
    name: 'an unsent message keeps its metadata',
    file: content,
    find: "contentMetadata: { UNSENT: 'true'",
    replace: "contentMetadata: { ...(JSON.parse(body) as Message).contentMetadata, UNSENT: 'true'",
    tests: [messaging],
    pattern: 'unsent message keeps',
  },
  {
    name: 'somebody speaks in the name of another',
    file: content,
    find: "message.from !== '' && message.from !== senderMid",
    replace: "message.from === ''",
    tests: [messaging],
    pattern: 'refused sends',
  },
  {
    name: 'people send what only official accounts may',
    file: content,
    find: 'OFFICIAL_ONLY.has(type) && !official',
    replace: 'OFFICIAL_ONLY.has(type) && official',
    tests: [messaging],
    pattern: 'refused sends',
  },
] satisfies Mutant[];
