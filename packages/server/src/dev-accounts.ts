// The dev profile's accounts: there before the first request, friends of each other and in one group, with passwords
// that everybody may know.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chatTypes } from '@sealpost/contract';
import type { Config } from './config.ts';
import type { Handlers, UserCall } from './rpc/call.ts';
import type { Slices } from './slices.ts';

export interface DevAccount {
  readonly userid: string;
  readonly password: string;
  readonly mid: string;
}

const names = ['alice', 'bob', 'carol'] as const;
const GROUP = 'Friends';
/** No idempotency key: seeding happens once. */
const REQ_SEQ = 0;

/** Makes what is missing and writes `dev-accounts.json` into the data folder, for the command line. */
export async function seedDevAccounts({ accounts, handlers }: Slices, config: Config): Promise<DevAccount[]> {
  const seeded: DevAccount[] = [];
  const created: UserCall[] = [];
  for (const userid of names) {
    const password = `${userid}-sealpost`;
    const displayName = userid[0]?.toUpperCase() + userid.slice(1);
    const existing = await accounts.show(userid);
    const account = existing ?? (await accounts.create({ userid, password, displayName }));
    if (!existing) created.push(callOf(account.id, account.mid));
    seeded.push({ userid, password, mid: account.mid });
  }
  if (created.length === names.length) await introduce(handlers, created);
  writeFileSync(join(config.dataDir, 'dev-accounts.json'), `${JSON.stringify(seeded, null, 2)}\n`, { mode: 0o600 });
  return seeded;
}

/** Makes everybody a contact of everybody, and a group of all. */
async function introduce(handlers: Handlers, calls: readonly UserCall[]): Promise<void> {
  const othersOf = (call: UserCall) => calls.filter((other) => other !== call).map((other) => other.caller.mid);
  for (const call of calls) {
    await handlers['TalkService.findAndAddContactsByMid']?.(call, REQ_SEQ, 0, othersOf(call));
  }
  const [first, ...others] = calls as [UserCall, ...UserCall[]];
  const targetUserMids = othersOf(first);
  const made = await handlers['TalkService.createChat']?.(first, {
    reqSeq: REQ_SEQ,
    type: chatTypes.GROUP,
    name: GROUP,
    targetUserMids,
  });
  const { chatMid } = (made as { chat: { chatMid: string } }).chat;
  for (const call of others) await handlers['TalkService.acceptChatInvitation']?.(call, { reqSeq: REQ_SEQ, chatMid });
}

const callOf = (accountId: number, mid: string): UserCall => ({
  method: 'TalkService.createChat',
  caller: { accountId, mid, sessionId: 0 },
  remoteAddress: '127.0.0.1',
  requestId: 'seed',
  chromeClient: false,
  args: [],
  header: () => undefined,
  signal: new AbortController().signal,
  setCookie: () => {},
});
