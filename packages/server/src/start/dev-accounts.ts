// The accounts of dev mode. They are created before the first request, are contacts of each other, and share one group.
// Their passwords are public.
import { join } from 'node:path';
import { chatTypes } from '@sealpost/contract';
import { ConfigError } from '../platform/kernel/config-error.ts';
import { writeAtomically } from '../platform/kernel/files.ts';
import type { UserCall } from '../platform/rpc/call.ts';
import type { Slices } from './slices.ts';

export interface DevAccount {
  readonly userid: string;
  readonly password: string;
  readonly mid: string;
}

const names = ['alice', 'bob', 'carol'] as const;
const displayNameOf = (userid: string): string => `${userid[0]?.toUpperCase()}${userid.slice(1)}`;
const GROUP = 'Friends';
const passwordOf = (userid: string): string => `${userid}-sealpost`;
/** The logins of the dev accounts, as the web client offers them. */
export const devLogins = names.map((userid) => ({
  userid,
  password: passwordOf(userid),
  name: displayNameOf(userid),
}));
/**
 * The reqSeq of all calls that seed accounts. The accounts are seeded only once, so these calls need no idempotency
 * key.
 */
const REQ_SEQ = 0;

/** Creates the dev accounts that do not exist yet. */
export async function seedDevAccounts({ accounts, handlers }: Slices): Promise<DevAccount[]> {
  const seeded: DevAccount[] = [];
  const created: UserCall[] = [];
  for (const userid of names) {
    const password = passwordOf(userid);
    const existing = await accounts.show(userid);
    const account = existing ?? (await accounts.create({ userid, password, displayName: displayNameOf(userid) }));
    if (!existing) created.push(callOf(account.id, account.mid));
    seeded.push({ userid, password, mid: account.mid });
  }
  if (created.length === names.length) await introduce(handlers, created);
  return seeded;
}

/**
 * Throws if a server with real accounts uses a database with dev accounts, because anybody could log in to the dev
 * accounts.
 * @param where the database, as messages to people name it
 * @throws ConfigError
 */
export async function refuseDevAccounts({ accounts }: Slices, where: string): Promise<void> {
  const open: string[] = [];
  for (const userid of names) if (await accounts.hasPassword(userid, passwordOf(userid))) open.push(userid);
  if (open.length === 0) return;
  throw new ConfigError(
    `${open.join(', ')} in ${where} still ${open.length === 1 ? 'has the password' : 'have the passwords'} of dev mode, which everybody knows. For real accounts take another --data-dir or --database-url. To go on with this one, start \`sealpost dev\` on it once more, run \`sealpost account delete <userid>\` or \`sealpost account reset-password <userid>\` for each of these, and stop it.`,
  );
}

/** Writes the seeded accounts and the port of their server to a file, for the command line on this machine. */
export function writeDevAccounts(dataDir: string, port: number, accounts: readonly DevAccount[]): void {
  const text = `${JSON.stringify({ port, accounts }, null, 2)}\n`;
  writeAtomically('the list of accounts in', join(dataDir, 'dev-accounts.json'), text, 0o600);
}

/** Makes all accounts contacts of each other, and puts them into one group. */
async function introduce(handlers: Slices['handlers'], calls: readonly UserCall[]): Promise<void> {
  const othersOf = (call: UserCall) => calls.filter((other) => other !== call).map((other) => other.caller.mid);
  for (const call of calls) {
    await handlers['TalkService.findAndAddContactsByMid'](call, REQ_SEQ, 0, othersOf(call));
  }
  const [first, ...others] = calls as [UserCall, ...UserCall[]];
  const targetUserMids = othersOf(first);
  const made = await handlers['TalkService.createChat'](first, {
    reqSeq: REQ_SEQ,
    type: chatTypes.GROUP,
    name: GROUP,
    targetUserMids,
  });
  const { chatMid } = (made as { chat: { chatMid: string } }).chat;
  for (const call of others) await handlers['TalkService.acceptChatInvitation'](call, { reqSeq: REQ_SEQ, chatMid });
}

const callOf = (accountId: number, mid: string): UserCall => ({
  method: 'TalkService.createChat',
  caller: { accountId, mid, sessionId: 0 },
  remoteAddress: '127.0.0.1',
  chromeClient: false,
  args: [],
  header: () => undefined,
  signal: new AbortController().signal,
  setCookie: () => {},
});
