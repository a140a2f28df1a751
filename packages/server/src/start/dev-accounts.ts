// The accounts of dev mode. They exist before the first request, are contacts of each other, and share one group. Their
// passwords are public.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chatTypes } from '@sealpost/contract';
import { ConfigError } from '../platform/kernel/config-error.ts';
import { writeAtomically } from '../platform/kernel/files.ts';
import type { UserCall } from '../platform/rpc/call.ts';
import type { Config } from './config/config.ts';
import type { Slices } from './slices.ts';

export interface DevAccount {
  readonly userid: string;
  readonly password: string;
  readonly mid: string;
}

const names = ['alice', 'bob', 'carol'] as const;
const displayNameOf = (userid: string): string => `${userid[0]?.toUpperCase()}${userid.slice(1)}`;
/** The administrator of dev mode, who needs no second factor there. */
export const devAdministrator = { name: 'admin', password: 'admin-sealpost' } as const;
const GROUP = 'Friends';
const passwordOf = (userid: string): string => `${userid}-sealpost`;
/** The logins that the web client offers in dev mode. */
export const devLogins = names.map((userid) => ({
  userid,
  password: passwordOf(userid),
  name: displayNameOf(userid),
}));
/**
 * The reqSeq of all calls that set up the accounts. No call is ever repeated, so none needs a number for idempotency.
 */
const REQ_SEQ = 0;

/** Creates the dev accounts and the administrator that do not exist yet. Returns all accounts. */
export async function seedDevAccounts({ accounts, administrators, handlers }: Slices): Promise<DevAccount[]> {
  const seeded: DevAccount[] = [];
  const created: UserCall[] = [];
  for (const userid of names) {
    const password = passwordOf(userid);
    const existing = await accounts.show(userid);
    const account = existing ?? (await accounts.create({ userid, password, displayName: displayNameOf(userid) }));
    if (!existing) created.push(callOf(account.id, account.mid));
    seeded.push({ userid, password, mid: account.mid });
  }
  await administrators.seed(devAdministrator.name, devAdministrator.password);
  if (created.length === names.length) await introduce(handlers, created);
  return seeded;
}

/** Returns the name of the database for error messages. */
export const placeOf = ({ database }: Pick<Config, 'database'>): string =>
  database.kind === 'sqlite' ? database.path : 'the database of database-url';

/**
 * Throws if the database contains dev accounts with their public passwords, because anybody could log in to them.
 * Called for a server with real accounts.
 * @param where the database, in words for an error message
 * @throws ConfigError
 */
export async function refuseDevAccounts({ accounts, administrators }: Slices, where: string): Promise<void> {
  const open = await openAccounts(accounts);
  const hasAdministrator = await administrators.hasPassword(devAdministrator.name, devAdministrator.password);
  const known = hasAdministrator ? [...open, `the administrator ${devAdministrator.name}`] : open;
  if (known.length === 0) return;
  const remedies = [
    ...(open.length > 0 ? ['`sealpost account delete <userid>` or `sealpost account reset-password <userid>`'] : []),
    ...(hasAdministrator ? [`\`sealpost admin remove ${devAdministrator.name} --last\``] : []),
  ];
  throw new ConfigError(
    `${known.join(', ')} in ${where} still ${known.length === 1 ? 'has the password' : 'have the passwords'} of dev mode, which everybody knows. For real accounts take another --data-dir or --database-url. To go on with this one, start \`sealpost dev\` on it once more, run ${remedies.join(', and ')}, and stop it.`,
  );
}

/** The name of the file in a data folder that lists made-up people with their passwords. */
export const populationFile = 'population.json';

/**
 * Throws if the data folder was filled with made-up people. Their passwords follow from their names.
 * @throws ConfigError
 */
export function refusePopulation({ dataDir }: Pick<Config, 'dataDir'>): void {
  if (!existsSync(join(dataDir, populationFile))) return;
  throw new ConfigError(
    `the data folder ${dataDir} was filled by \`sealpost dev --population\` with people whose passwords everybody knows. For real accounts take another --data-dir. To go on with this one, use \`sealpost dev\`.`,
  );
}

/**
 * Throws if the database has accounts, but none with the public password of dev mode: it belongs to a real server. Dev
 * mode would let everybody in.
 * @param where the database, in words for an error message
 * @throws ConfigError
 */
export async function refuseRealAccounts({ accounts, administrators }: Slices, where: string): Promise<void> {
  const [some] = await accounts.list(0, 1);
  if (!some || (await openAccounts(accounts)).length > 0) return;
  if (await administrators.hasPassword(devAdministrator.name, devAdministrator.password)) return;
  throw new ConfigError(
    `${where} has the accounts of a real server. Dev mode would add accounts and an administrator whose passwords everybody knows. Use \`sealpost serve\`, or take another --data-dir or --database-url.`,
  );
}

/** Returns the dev accounts that have their public password. */
async function openAccounts(accounts: Slices['accounts']): Promise<string[]> {
  const open: string[] = [];
  for (const userid of names) if (await accounts.hasPassword(userid, passwordOf(userid))) open.push(userid);
  return open;
}

/** Writes the dev accounts and the port of their server to a file, for the commands on this machine. */
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
