// Starts a real server in a separate process, on a free port and with a temporary data directory. With
// SEALPOST_TEST_PROCESSES=2, each server has two processes and a separate PostgreSQL database.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAdminClient } from '@sealpost/sdk/admin';

/** The path of the command that `npm test` built for this run. If it is not set, tests start the sources. */
const built = process.env.SEALPOST_TEST_COMMAND;
export const commandPath = built ?? fileURLToPath(import.meta.resolve('sealpost/bin/sealpost.js'));
/** The path of the module that the command `sealpost` runs. */
export const commandModule = built
  ? join(dirname(built), '../dist/main.js')
  : fileURLToPath(import.meta.resolve('sealpost/src/main.ts'));
/** The code cache of the built command. It is in the same folder, so that both are removed together. */
export const codeCache: Readonly<Record<string, string>> =
  built === undefined ? {} : { NODE_COMPILE_CACHE: join(dirname(built), 'code-cache') };

export interface ServerProcess {
  readonly url: string;
  readonly dataDir: string;
  /** The id of the process that was started last. */
  readonly pid: number;
  /** Everything that the process wrote since it was started last. */
  readonly output: string;
  /** How the process ended; undefined while it runs. */
  readonly ended: string | undefined;
  /** Environment variables with which commands on this machine find the server. */
  readonly env: Readonly<Record<string, string>>;
  createAccount(userid: string, displayName?: string): Promise<{ mid: string; userid: string; password: string }>;
  /** Kills the server at once, which is like a crash. */
  kill(): Promise<void>;
  /** Stops the server with SIGTERM, and waits until it has ended. */
  stop(): Promise<void>;
  /** Starts the server again with the same port and data. */
  start(): Promise<void>;
  /** Kills the server and deletes its data. */
  dispose(): Promise<void>;
}

const START_TIMEOUT_MS = 180_000;
const POLL_MS = 20;
export const adminToken = 'admin-token-of-the-test';

/** Flags of Node that make a server hash passwords and generate login keys at a low cost. */
const QUICK = ['--import', new URL('./quick-crypto-preload.ts', import.meta.url).href];

/**
 * Starts a server, and waits until it is ready. If it is the server of this repository, passwords and login keys are
 * made cheap.
 * @param command the path of the program; by default, the one of this repository
 * @param nodeFlags further flags for the Node of the program
 */
export async function startServer(
  given: Readonly<Record<string, string>> = {},
  command = commandPath,
  nodeFlags: readonly string[] = [],
): Promise<ServerProcess> {
  const database = await databaseOfProcesses(given);
  const settings: Readonly<Record<string, string>> = { ...given, ...database?.settings };
  const dataDir = mkdtempSync(join(tmpdir(), 'sealpost-'));
  const readyFile = join(dataDir, 'ready.json');
  const env = {
    SEALPOST_DATA_DIR: dataDir,
    SEALPOST_CONFIG_DIR: join(dataDir, 'config'),
    SEALPOST_ADMIN_TOKEN: adminToken,
  };
  let child: ChildProcess | undefined;
  let url = '';
  let log = '';

  async function start(): Promise<void> {
    rmSync(readyFile, { force: true });
    const port = url === '' ? '0' : new URL(url).port;
    const mode = settings.mode ?? 'serve';
    const { mode: _, ...rest } = settings;
    const flags = flagsOf({ port, 'ready-file': readyFile, 'login-confirmation': 'never', ...rest });
    const args = [...nodeFlags, ...(command === commandPath ? QUICK : []), command, mode, ...flags];
    const server = spawn(process.execPath, args, {
      env: { ...process.env, ...codeCache, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = server;
    log = '';
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', (part) => (log += part));
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!existsSync(readyFile)) {
      if (server.exitCode !== null || Date.now() > deadline) throw new Error(`the server did not start:\n${log}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    url = (JSON.parse(readFileSync(readyFile, 'utf8')) as { url: string }).url;
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const server = child;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((resolve) => server.once('close', resolve));
    server.kill(signal);
    await gone;
  }
  const kill = () => end('SIGKILL');

  await start();
  return {
    get url() {
      return url;
    },
    dataDir,
    get pid() {
      return child?.pid ?? 0;
    },
    get output() {
      return log;
    },
    get ended() {
      return endOf(child);
    },
    env,
    start,
    kill,
    stop: () => end('SIGTERM'),
    createAccount: (userid, displayName = userid) => createAccountAt(url, userid, displayName),
    async dispose() {
      await kill();
      rmSync(dataDir, { recursive: true, force: true });
      await database?.drop();
    },
  };
}

async function createAccountAt(url: string, userid: string, displayName: string) {
  const password = `password of ${userid}`;
  const admin = createAdminClient({ url, token: adminToken });
  const { mid } = await admin.createAccount({ userid, password, displayName });
  return { mid, userid, password };
}

/** Returns the exit code or the signal with which a process ended; undefined while it runs. */
const endOf = (child: ChildProcess | undefined): string | undefined => {
  const how = child?.exitCode ?? child?.signalCode;
  return how === null || how === undefined ? undefined : String(how);
};

/** Settings as flags of the command. */
const flagsOf = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);

/**
 * Returns the settings and the database that a server of several processes needs. Returns undefined if the server has
 * one process, or if its test chose a database.
 */
async function databaseOfProcesses({ mode, 'database-url': url }: Readonly<Record<string, string>>) {
  const processes = process.env.SEALPOST_TEST_PROCESSES;
  if (processes === undefined || mode === 'dev' || url !== undefined) return undefined;
  // The module is loaded only here, because the harness loads the whole server.
  const { createDatabase } = await import('./harness.ts');
  const database = await createDatabase();
  return { settings: { processes, 'database-url': database.url }, drop: database.drop };
}
