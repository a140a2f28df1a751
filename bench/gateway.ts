// A gateway to measure: the command of the package in a separate process, and users who are logged in to it.
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRpcClient } from '@sealpost/sdk';
import { type AdminClient, createAdminClient } from '@sealpost/sdk/admin';
import { buildRunnableCommand } from '../scripts/packaging/runnable-command.ts';
import { SERVER_CORE, spawnPinned, stop } from './pinned-process.ts';
import type { User } from './request.ts';

const ROOT = path.join(import.meta.dirname, '..');
const SOURCES = path.join(ROOT, 'packages/cli/bin/sealpost.js');
/** The flags for Node in the first line of the command's file. */
const OWN_FLAGS = readFileSync(SOURCES, 'utf8').split('\n', 1)[0]?.match(/--\S+/g) ?? [];
const ADMIN_TOKEN = 'bench-admin-token-0123456789abcdef';
const NO_LIMIT = '1000000000+1000000000';
const START_MS = 60_000;
const LOGINS_AT_ONCE = 4;

export interface Gateway {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Stops the gateway and keeps the data. */
  stop(): Promise<void>;
}

export const dataFolder = (): string => mkdtempSync(path.join(tmpdir(), 'sealpost-bench-'));

export interface GatewayOptions {
  /** The core of the server. */
  readonly core?: number | undefined;
  /** Further settings, as variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** A command that runs the server, such as strace. */
  readonly under?: readonly string[] | undefined;
  /** True if the server runs the sources. They take more memory, and a profile of them names the file of each function. */
  readonly sources?: boolean;
}

let packaged: Promise<string> | undefined;

/** Returns the path of the command as people install it. It is built once, and removed when this process ends. */
function packagedCommand(): Promise<string> {
  if (packaged) return packaged;
  const folder = dataFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  packaged = buildRunnableCommand(ROOT, folder);
  return packaged;
}

/** @param databaseUrl the address of the database; empty for the embedded database in the folder */
export async function startGateway(
  folder: string,
  databaseUrl = '',
  nodeFlags: readonly string[] = [],
  { core, env, under, sources }: GatewayOptions = { core: SERVER_CORE },
): Promise<Gateway> {
  const command = sources ? SOURCES : await packagedCommand();
  const readyFile = path.join(folder, 'ready.json');
  rmSync(readyFile, { force: true });
  const child = spawnPinned(command, ['serve'], {
    core,
    under,
    cwd: folder,
    nodeFlags: [...OWN_FLAGS, ...nodeFlags],
    env: {
      SEALPOST_PORT: '0',
      SEALPOST_DATA_DIR: path.join(folder, 'data'),
      SEALPOST_DATABASE_URL: databaseUrl,
      SEALPOST_READY_FILE: readyFile,
      // Without it, the home folder would keep the compiled code of every package that a bench has built.
      ...(sources ? {} : { NODE_COMPILE_CACHE: path.join(path.dirname(command), '../cache') }),
      SEALPOST_ADMIN_TOKEN: ADMIN_TOKEN,
      SEALPOST_LOGIN_CONFIRMATION: 'never',
      SEALPOST_SIGNATURE: 'strict',
      ...Object.fromEntries(
        ['SEND', 'WRITE', 'READ', 'LOOKUP', 'KEY', 'LOGIN'].map((name) => [`SEALPOST_RATE_${name}`, NO_LIMIT]),
      ),
      ...env,
    },
  });
  const { url, pid } = await ready(child, readyFile);
  return { url, port: Number(new URL(url).port), pid, stop: () => stop(child, 'SIGTERM', under && pid) };
}

async function ready(child: ChildProcess, file: string): Promise<{ url: string; pid: number }> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`the server ended at its start with code ${child.exitCode}`);
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as { url: string; pid: number };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the server did not become ready');
}

/** Creates accounts, and logs in each of them once. */
export async function makeUsers(gateway: Gateway, count: number): Promise<User[]> {
  const users: User[] = [];
  for (let at = 0; at < count; at += LOGINS_AT_ONCE) {
    const batch = Array.from({ length: Math.min(LOGINS_AT_ONCE, count - at) }, (_, i) => makeUser(gateway, at + i));
    users.push(...(await Promise.all(batch)));
  }
  return users;
}

/** Returns a client of the admin API. */
export const operator = ({ url }: Gateway): AdminClient => createAdminClient({ url, token: ADMIN_TOKEN });

export async function disableUser(gateway: Gateway, userid: string): Promise<void> {
  await operator(gateway).disableAccount({ account: userid });
}

export function credentialOf(number: number): { identifier: string; password: string } {
  const identifier = `bench${String(number).padStart(5, '0')}`;
  return { identifier, password: `a long password of ${identifier}` };
}

async function makeUser(gateway: Gateway, number: number): Promise<User> {
  const { identifier: userid, password } = credentialOf(number);
  await operator(gateway).createAccount({ userid, password, displayName: userid });
  return logIn(gateway, number);
}

export async function logIn(gateway: Gateway, number: number): Promise<User> {
  const client = createRpcClient({ url: gateway.url });
  const { mid, tokens } = await client.login(credentialOf(number));
  client.close();
  return { mid, accessToken: tokens.accessToken };
}
