import type { Mutant } from '../scripts/mutants/mutant.ts';

const slice = 'packages/server/src/slices/push';
const push = 'packages/server/test/slices/push/push.test.ts';
const subscriber = 'packages/server/src/platform/subscriber/log-subscriber.ts';
const subscribers = 'packages/server/test/platform/subscriber/log-subscriber.test.ts';
const outbound = 'packages/server/test/platform/outbound/outbound.test.ts';

export default [
  {
    name: 'a cursor moves although the handling failed',
    file: subscriber,
    find: '      signal.throwIfAborted();\n      await this.#advance([accountId, last]);\n',
    replace: '      await this.#advance([accountId, last]);\n',
    tests: [subscribers],
    pattern: 'before its cursor moved',
  },
  {
    name: 'a new subscriber begins with all logs',
    file: subscriber,
    find: '      if (isNew) await tx.run(q.beginNow, this.name);\n',
    replace: '',
    tests: [subscribers],
    pattern: 'begins at now',
  },
  {
    name: 'after a failure, several operations are tried together',
    file: subscriber,
    find: 'this.#failures.has(account_id) ? 1 : OPERATIONS_AT_ONCE',
    replace: 'OPERATIONS_AT_ONCE',
    tests: [subscribers],
    pattern: 'stops nobody else',
  },
  {
    name: 'any resolved address is called',
    file: 'packages/server/src/platform/outbound/outbound.ts',
    find: 'found.filter(({ address }) => allows(address, protocol))',
    replace: 'found.filter(({ address }) => address.length > 0 || allows(address, protocol))',
    tests: [outbound],
    pattern: 'leads to a private address',
  },
  {
    name: 'an IPv4 address inside an IPv6 address counts as public',
    file: 'packages/server/src/platform/outbound/address-rules.ts',
    find: "(protocol === 'https:' && parsed.range() === 'unicast')",
    replace: "(protocol === 'https:' && (parsed.range() === 'unicast' || address.startsWith('::ffff:')))",
    tests: [outbound],
    pattern: 'inside an IPv6 address',
  },
  {
    name: 'an open stream does not matter',
    file: `${slice}/push.ts`,
    find: '      if (await isOpen(accountId, signal)) return;\n',
    replace: '',
    tests: [push],
    pattern: 'with an open stream',
  },
  {
    name: 'muted chats cause pushes',
    file: `${slice}/noticed-chats.ts`,
    find: 'status === operationStatus.ALERT_DISABLED || body === null',
    replace: 'body === null',
    tests: [push],
    pattern: 'a muted group',
  },
  {
    name: 'an invitation into a room causes no push',
    file: `${slice}/noticed-chats.ts`,
    find: "  if (operation?.type === 'NOTIFIED_INVITE_INTO_ROOM') return operation.params.chatMid;\n",
    replace: '',
    tests: [push],
    pattern: 'invited into a room',
  },
  {
    name: 'quiet hours are not asked about',
    file: `${slice}/deliveries.ts`,
    find: 'live.has(row.session_id) && !isQuietNow(row)',
    replace: 'live.has(row.session_id) && (row.session_id > 0 || !isQuietNow(row))',
    tests: [push],
    pattern: 'quiet hours',
  },
  {
    name: 'a browser that is gone is kept',
    file: `${slice}/deliveries.ts`,
    find: 'if (status === NOT_FOUND || status === GONE) await',
    replace: 'if (status === NOT_FOUND && status === GONE) await',
    tests: [push],
    pattern: 'no longer knows',
  },
  {
    name: 'a late cursor of a deleted account is stored',
    file: 'packages/server/src/platform/subscriber/queries.ts',
    find: 'where a.deleted = 0 {for share of a}',
    replace: 'where a.deleted = 0',
    tests: ['packages/server/test/platform/subscriber/log-subscriber.test.ts'],
    pattern: 'first operation is handled',
    needs: ['postgres'],
  },
  {
    name: 'an operation of a deleted account is parked',
    file: 'packages/server/src/platform/subscriber/queries.ts',
    find: 'where id = ? and deleted = 0 {for share}',
    replace: 'where id = ? {for share}',
    tests: ['packages/server/test/platform/subscriber/log-subscriber.test.ts'],
    pattern: 'operation is parked leaves',
  },
] satisfies Mutant[];
