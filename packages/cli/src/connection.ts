// Makes a logged-in client from the options of a command.
import { resolve } from 'node:path';
import {
  type Credential,
  createRpcClient,
  createSealingClient,
  createVerbs,
  type GatewayError,
  type RpcClient,
  type RpcClientOptions,
  type SealingClient,
  type Session,
  systemPorts,
  type Verbs,
} from '@sealpost/sdk';
import { Registration } from '@sealpost/sdk/registration';
import type { Command } from 'commander';
import { devAccount } from './dev-accounts.ts';
import { buildTokenFromEnvironment, checkedUrl, dataDirectory, defaultUrl } from './environment.ts';
import { CliError, exitCodes } from './exit-codes.ts';
import { loginKeyStore } from './key-files.ts';
import { serverOf } from './local-server.ts';
import {
  aloneWithLogin,
  currentLogin,
  deleteCursor,
  forgetLogin,
  loadLogin,
  loginStorage,
  prepareLoginFolder,
  type SavedLogin,
  saveLogin,
} from './logins.ts';
import { uploadFiles } from './media/upload-files.ts';
import { createOutput } from './output.ts';

export interface ConnectionOptions {
  readonly url?: string;
  readonly as?: string;
  readonly dataDir?: string;
  readonly buildToken?: string;
  readonly brand?: string;
  readonly json?: boolean;
}

/** Adds the options that all commands with a connection have. */
export const withConnectionOptions = (command: Command): Command =>
  command
    .option('--as <login>', 'act as this login; without it, the last one (or SEALPOST_LOGIN)')
    .option('--url <url>', 'address of the gateway (or SEALPOST_URL; default the server of the data folder)')
    .option('--data-dir <folder>', 'data folder of a server on this machine (or SEALPOST_DATA_DIR; default ./data)')
    .option('--build-token <token>', 'secret of request signatures (or SEALPOST_BUILD_TOKEN; default sealpost-dev)')
    .option('--brand <brand>', 'brand inside header names (or SEALPOST_HEADER_BRAND; default Svc)')
    .option('--json', 'print JSON');

/** A login on this machine, with its client. */
export interface Connection extends Verbs {
  readonly name: string;
  readonly url: string;
  /** The saved login; undefined before the first login under this name. */
  readonly saved: SavedLogin | undefined;
  readonly client: RpcClient;
  /** The client that seals messages before sending and opens received messages, with the keys of the login. */
  readonly sealing: SealingClient;
}

/** Returns the name of the login to use, or undefined if none was named and nobody has logged in yet. */
export const loginName = (options: ConnectionOptions): string | undefined =>
  options.as ?? loginOfEnvironment() ?? currentLogin();

function loginOfEnvironment(): string | undefined {
  // The old variable SEALPOST_PROFILE is refused. A command that ignored it could act as another user than the caller
  // wants.
  if (process.env.SEALPOST_PROFILE !== undefined) {
    throw new CliError('SEALPOST_PROFILE is no longer supported. Set SEALPOST_LOGIN instead.', exitCodes.usage);
  }
  return process.env.SEALPOST_LOGIN;
}

/** Makes the client of a login. The login need not have a session. */
export function connect(options: ConnectionOptions, name: string): Connection {
  const saved = loadLogin(name);
  const settings = clientSettings(options, saved);
  const client = createRpcClient({
    ...settings,
    storage: loginStorage(name),
    keyStore: loginKeyStore(name),
    uploads: uploadFiles,
    ...(saved?.session && isAt(saved, settings.url) ? { session: saved.session } : {}),
  });
  return { name, url: settings.url, saved, client, sealing: createSealingClient(client), ...createVerbs(client) };
}

/** Returns the calls with which people open accounts. They need no login. */
export const registrationOf = (options: ConnectionOptions): Registration => {
  const { url } = clientSettings(options, undefined);
  return new Registration({ url, fetch: systemPorts.fetch });
};

/**
 * Runs a command with the session of a login. If the login has no session and is one of the accounts of dev mode, logs
 * in first.
 */
export async function asUser<T>(
  options: ConnectionOptions,
  command: (connection: Connection & { mid: string }) => Promise<T>,
): Promise<T> {
  const name = loginName(options);
  if (name === undefined) throw notLoggedIn('nobody is logged in on this machine');
  const connection = connect(options, name);
  const { client, sealing, url } = connection;
  const ended = new SessionEnd(client);
  try {
    const mid = client.session?.mid ?? (await loginAsSeeded(connection, options));
    if (mid === undefined) throw notLoggedIn(`the login "${name}" has no session at ${url}`, name);
    return await command({ ...connection, mid });
  } catch (error) {
    if (ended.reason === undefined || error instanceof CliError) throw error;
    // The data of the dev server were deleted, and with them the account of this session. The command has done nothing
    // yet, so it runs again with the new account of the same name.
    if (isSeededAnew(connection, options)) return await asUser(options, command);
    if (loadLogin(name)?.session) {
      throw new CliError(
        `The session of "${name}" has ended: ${ended.reason.reason}. Another command has stored a newer login since: run this command again.`,
        exitCodes.notLoggedIn,
      );
    }
    if (ended.reason.accountDeleted) {
      forgetLogin(name);
      throw new CliError(
        `The account of the login "${name}" was deleted. Its login and keys were removed here.`,
        exitCodes.notLoggedIn,
      );
    }
    throw notLoggedIn(`the session of "${name}" has ended: ${ended.reason.reason}`, name);
  } finally {
    sealing.close();
    client.close();
  }
}

/** Logs in and saves the login. */
export async function login(
  { client, name, url, saved }: Connection,
  options: ConnectionOptions,
  {
    userid,
    ...asked
  }: { userid: string; password: string } & Pick<Credential, 'onConfirmationNeeded' | 'onWithoutKeys'>,
): Promise<string> {
  prepareLoginFolder();
  const certificate = saved && isAt(saved, url) ? saved.certificate : undefined;
  const session = await client.login({
    ...asked,
    identifier: userid,
    systemName: 'sealpost CLI',
    ...(certificate ? { certificate } : {}),
  });
  await keepLogin(name, options, { userid, session });
  await noteMissingKeys(client, options, name);
  return session.mid;
}

/** Returns the ids of the account's keys that this device lacks. Returns no ids if the server cannot be asked now. */
export async function missingKeys(client: RpcClient): Promise<readonly number[]> {
  if (!client.session) return [];
  return client.recovery.status().then(
    ({ missingKeyIds }) => missingKeyIds,
    () => [],
  );
}

/** Tells the user which command fetches the keys that a login did not bring. */
export async function noteMissingKeys(client: RpcClient, options: ConnectionOptions, name: string): Promise<void> {
  const missing = await missingKeys(client);
  if (missing.length === 0) return;
  createOutput(options).note(
    `This device lacks ${missing.length === 1 ? 'a key' : `${missing.length} keys`} of the account: messages that were sealed for ${missing.length === 1 ? 'it' : 'them'} cannot be read here. To get ${missing.length === 1 ? 'it' : 'them'} from another device: sealpost login --qr --as ${name}`,
  );
}

/**
 * Saves a login on this machine. The certificate of an earlier login is kept only if the server address is the same.
 */
export const keepLogin = (name: string, options: ConnectionOptions, made: MadeLogin): Promise<void> =>
  aloneWithLogin(name, async () => keepLoginNow(name, options, made));

interface MadeLogin {
  readonly userid: string;
  readonly session: Session;
}

function keepLoginNow(name: string, options: ConnectionOptions, made: MadeLogin): void {
  const saved = loadLogin(name);
  const { url, buildToken, brand } = clientSettings(options, saved);
  const certificate = made.session.certificate ?? (saved && isAt(saved, url) ? saved.certificate : undefined);
  const dataDir = folderOf(url, options.dataDir);
  saveLogin(name, {
    url,
    ...(dataDir ? { dataDir } : {}),
    ...made,
    ...(certificate ? { certificate } : {}),
    ...(buildToken ? { buildToken } : {}),
    ...(brand ? { brand } : {}),
  });
  if (saved?.session?.mid !== made.session.mid) deleteCursor(name);
}

type ClientSettings = Pick<RpcClientOptions, 'url' | 'buildToken' | 'brand'>;

/**
 * Returns the settings of the client. Each setting is the first one that is found in this order: option, environment,
 * saved login, default of the SDK.
 */
export function clientSettings(options: ConnectionOptions, saved: SavedLogin | undefined): ClientSettings {
  const buildToken = options.buildToken ?? buildTokenFromEnvironment() ?? saved?.buildToken;
  const brand = options.brand ?? process.env.SEALPOST_HEADER_BRAND ?? saved?.brand;
  return {
    url: checkedUrl(options.url ?? process.env.SEALPOST_URL ?? urlOf(options, saved)),
    ...(buildToken ? { buildToken } : {}),
    ...(brand ? { brand } : {}),
  };
}

/**
 * Returns the address of the login's server. A server on this machine may have got another port at its last restart. So
 * the address in its data folder comes before the saved address.
 */
function urlOf({ dataDir }: ConnectionOptions, saved: SavedLogin | undefined): string {
  if (dataDir !== undefined || !saved) return defaultUrl(dataDir);
  return (saved.dataDir && serverOf(saved.dataDir)?.url) || saved.url;
}

/** Returns true if the login's session belongs to the server at this address. */
const isAt = (saved: SavedLogin, url: string): boolean =>
  saved.url === url || (saved.dataDir !== undefined && serverOf(saved.dataDir)?.url === url);

/** Returns the data folder of the server at this address; undefined if this server is not on this machine. */
function folderOf(url: string, given: string | undefined): string | undefined {
  const folder = dataDirectory(given);
  return serverOf(folder)?.url === url ? resolve(folder) : undefined;
}

export const notLoggedIn = (what: string, name = '<userid>'): CliError =>
  new CliError(`Not logged in: ${what}. Log in with: sealpost login ${name}`, exitCodes.notLoggedIn);

async function loginAsSeeded(connection: Connection, options: ConnectionOptions): Promise<string | undefined> {
  const account = seededAccount(connection, options);
  return account && login(connection, options, account);
}

function isSeededAnew(connection: Connection, options: ConnectionOptions): boolean {
  const seeded = seededAccount(connection, options);
  const before = connection.saved?.session?.mid;
  return seeded !== undefined && before !== undefined && seeded.mid !== before;
}

const seededAccount = ({ url, saved, name }: Connection, { dataDir }: ConnectionOptions) =>
  devAccount(url, saved?.userid ?? name, dataDir);

/** Keeps the reason why a session ended. This reason tells the user more than the error of the call that failed. */
class SessionEnd {
  reason: GatewayError | undefined;

  constructor(client: RpcClient) {
    client.onSession((event) => {
      if (event.kind === 'ended') this.reason = event.reason;
    });
  }
}
