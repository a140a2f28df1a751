// From the options of a command to a client that is logged in.
import {
  type Client,
  type ClientOptions,
  createClient,
  createSealingClient,
  type GatewayError,
  type SealingClient,
  type Session,
} from '@sealpost/sdk';
import type { Command } from 'commander';
import { devAccount } from './dev-accounts.ts';
import { buildTokenFromEnvironment, defaultUrl } from './environment.ts';
import { CliError, exitCodes } from './exit-codes.ts';
import { profileKeyStore } from './key-files.ts';
import { uploadFiles } from './media/upload-files.ts';
import { currentProfile, deleteCursor, loadProfile, type Profile, profileStorage, saveProfile } from './profiles.ts';

export interface ConnectionOptions {
  readonly url?: string;
  readonly as?: string;
  readonly profile?: string;
  readonly buildToken?: string;
  readonly brand?: string;
  readonly json?: boolean;
}

/** The options that every command with a client has. */
export const withConnectionOptions = (command: Command): Command =>
  command
    .option('--as <profile>', 'act as this login; without it, the last one (or SEALPOST_PROFILE)')
    .option('--profile <profile>', 'the same as --as')
    .option('--url <url>', 'address of the gateway (or SEALPOST_URL; default http://127.0.0.1:8787)')
    .option('--build-token <token>', 'secret of request signatures (or SEALPOST_BUILD_TOKEN; default sealpost-dev)')
    .option('--brand <brand>', 'brand inside header names (or SEALPOST_HEADER_BRAND; default Svc)')
    .option('--json', 'print JSON');

/** A login of this machine and the client that goes with it. */
export interface Connection {
  readonly name: string;
  readonly url: string;
  readonly profile: Profile | undefined;
  readonly client: Client;
  /** Seals what it sends and opens what it reads, with the keys of the profile. */
  readonly sealing: SealingClient;
}

/** The name of the profile to use, and whether anybody chose it. */
export const profileName = (options: ConnectionOptions): string | undefined =>
  options.as ?? options.profile ?? process.env.SEALPOST_PROFILE ?? currentProfile();

/** Opens the profile's client, whether it has a session or not. */
export function connect(options: ConnectionOptions, name: string): Connection {
  const profile = loadProfile(name);
  const settings = clientSettings(options, profile);
  const client = createClient({
    ...settings,
    storage: profileStorage(name),
    keyStore: profileKeyStore(name),
    uploads: uploadFiles,
    ...(profile?.session && profile.url === settings.url ? { session: profile.session } : {}),
  });
  return { name, url: settings.url, profile, client, sealing: createSealingClient(client) };
}

/** Runs a command as a login: the profile's session, or a fresh one of an account that the dev profile seeded. */
export async function asUser<T>(
  options: ConnectionOptions,
  command: (connection: Connection & { mid: string }) => Promise<T>,
): Promise<T> {
  const name = profileName(options);
  if (name === undefined) throw notLoggedIn('nobody is logged in on this machine');
  const connection = connect(options, name);
  const { client, sealing, url } = connection;
  const ended = new Ended(client);
  try {
    const mid = client.session?.mid ?? (await loginAsSeeded(connection, options));
    if (mid === undefined) throw notLoggedIn(`the profile "${name}" has no session at ${url}`, name);
    return await command({ ...connection, mid });
  } catch (error) {
    if (ended.reason === undefined || error instanceof CliError) throw error;
    // The data of the dev server was deleted: whoever the session was of is gone, so nothing was done yet.
    if (isSeededAnew(connection)) return await asUser(options, command);
    throw notLoggedIn(`the session of "${name}" has ended: ${ended.reason.reason}`, name);
  } finally {
    sealing.close();
    client.close();
  }
}

/** Logs in and keeps profile and session. */
export async function login(
  { client, name, url, profile }: Connection,
  options: ConnectionOptions,
  credential: { userid: string; password: string; onConfirmationNeeded?: (pinCode: string) => void },
): Promise<string> {
  const certificate = profile?.url === url ? profile.certificate : undefined;
  const session = await client.login({
    identifier: credential.userid,
    password: credential.password,
    systemName: 'sealpost CLI',
    ...(certificate ? { certificate } : {}),
    ...(credential.onConfirmationNeeded ? { onConfirmationNeeded: credential.onConfirmationNeeded } : {}),
  });
  keepLogin(name, options, { userid: credential.userid, session });
  return session.mid;
}

/** Keeps a login in its profile. A certificate outlives the sessions, and goes with the server's address. */
export function keepLogin(name: string, options: ConnectionOptions, made: { userid: string; session: Session }): void {
  const profile = loadProfile(name);
  const { url, buildToken, brand } = clientSettings(options, profile);
  const certificate = made.session.certificate ?? (profile?.url === url ? profile.certificate : undefined);
  saveProfile(name, {
    url,
    ...made,
    ...(certificate ? { certificate } : {}),
    ...(buildToken ? { buildToken } : {}),
    ...(brand ? { brand } : {}),
  });
  if (profile?.session?.mid !== made.session.mid) deleteCursor(name);
}

type ClientSettings = Pick<ClientOptions, 'url' | 'buildToken' | 'brand'>;

/** Option, then environment, then profile, then the SDK's defaults. */
export function clientSettings(options: ConnectionOptions, profile: Profile | undefined): ClientSettings {
  const buildToken = options.buildToken ?? buildTokenFromEnvironment() ?? profile?.buildToken;
  const brand = options.brand ?? process.env.SEALPOST_HEADER_BRAND ?? profile?.brand;
  return {
    url: checkedUrl(options.url ?? process.env.SEALPOST_URL ?? profile?.url ?? defaultUrl()),
    ...(buildToken ? { buildToken } : {}),
    ...(brand ? { brand } : {}),
  };
}

export function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text.replace(/\/+$/, '');
  throw new CliError(`"${text}" is not an address: use a form like http://127.0.0.1:8787.`, exitCodes.usage);
}

export const notLoggedIn = (what: string, name = '<userid>'): CliError =>
  new CliError(`Not logged in: ${what}. Log in with: sealpost login ${name}`, exitCodes.notLoggedIn);

async function loginAsSeeded(connection: Connection, options: ConnectionOptions): Promise<string | undefined> {
  const account = seededAccount(connection);
  return account && login(connection, options, account);
}

function isSeededAnew(connection: Connection): boolean {
  const seeded = seededAccount(connection);
  const before = connection.profile?.session?.mid;
  return seeded !== undefined && before !== undefined && seeded.mid !== before;
}

const seededAccount = ({ url, profile, name }: Connection) => devAccount(url, profile?.userid ?? name);

/** Remembers why the session ended, for a message that says more than the failed call does. */
class Ended {
  reason: GatewayError | undefined;

  constructor(client: Client) {
    client.onSession((event) => {
      if (event.kind === 'ended') this.reason = event.reason;
    });
  }
}
