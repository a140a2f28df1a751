// The server process of a crash test. It is started, killed with SIGKILL and started again on the same data.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type DatabaseKind } from '@sealpost/dev-env/harness';
import type { CrashPointName } from '../../src/platform/kernel/ports.ts';
import { builtServer } from './built-server.ts';
import type { Order, Person, Report } from './server-with-crash-points.ts';

const NO_LIMIT = '1000000+100000';

export interface KillableServer {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly pid: number;
  /** Returns the server's address; waits while the server is down. */
  url(): Promise<string>;
  people(count: number): Promise<readonly Person[]>;
  /** Makes the process kill itself when it passes a crash point for the n-th time. */
  arm(point: CrashPointName, hit: number): Promise<void>;
  kill(): Promise<void>;
  /** Resolves when the process has ended, whatever killed it. */
  gone(): Promise<void>;
  /**
   * Starts the next process on the same data. That process has loaded its code in advance, so the start takes a few
   * milliseconds.
   */
  startAgain(): Promise<void>;
  close(): Promise<void>;
}

/** A database that the test has made, and a function that removes it. */
export interface OwnDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Starts the server.
 * @param on the kind of a new database, or an existing PostgreSQL database
 * @param settings settings in addition to those that every server of this kind has
 */
export async function startKillableServer(
  on: DatabaseKind | OwnDatabase,
  settings: Readonly<Record<string, string>> = {},
): Promise<KillableServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sealpost-crash-'));
  const made = on === 'postgres' ? await createDatabase() : on;
  const database = made === 'sqlite' ? undefined : made;
  const flags = {
    port: '0',
    'data-dir': dataDir,
    'log-level': 'silent',
    // The judge reads each log from its beginning, however long the run was.
    'operation-count': '1000000000',
    ...Object.fromEntries(['send', 'write', 'read', 'key', 'login'].map((name) => [`rate-${name}`, NO_LIMIT])),
    ...(database && { 'database-url': database.url }),
    ...settings,
  };
  let child = await standBy();
  let successor = standBy();
  let address = open();
  await address.catch(async (error: unknown) => {
    await close();
    throw error;
  });

  async function standBy(): Promise<ChildProcess> {
    const { entry, codeCache } = await builtServer();
    const process_ = fork(entry, { env: { ...process.env, NODE_COMPILE_CACHE: codeCache } });
    await answer(process_, 'standing-by');
    return process_;
  }

  async function open(): Promise<string> {
    return (await tell({ kind: 'open', flags }, 'open')).url;
  }

  async function tell<K extends Report['kind']>(order: Order, kind: K): Promise<Extract<Report, { kind: K }>> {
    const answered = answer(child, kind);
    child.send(order);
    return answered;
  }

  async function close(): Promise<void> {
    child.kill('SIGKILL');
    (await successor).kill('SIGKILL');
    await database?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }

  const gone = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    // Clients that now ask for the address wait until the next process runs.
    address = down.promise;
  };
  let down = Promise.withResolvers<string>();

  return {
    dataDir,
    databaseUrl: database?.url,
    get pid() {
      return child.pid as number;
    },
    url: () => address,
    people: async (count) => (await tell({ kind: 'people', count }, 'people')).people,
    arm: async (point, hit) => void (await tell({ kind: 'arm', point, hit }, 'armed')),
    async kill() {
      address = down.promise;
      child.kill('SIGKILL');
      await gone();
    },
    gone,
    async startAgain() {
      child = await successor;
      successor = standBy();
      const url = await open();
      down.resolve(url);
      address = Promise.resolve(url);
      down = Promise.withResolvers();
    },
    close,
  };
}

export async function answer<K extends Report['kind']>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<Report, { kind: K }>> {
  const quit = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: quit.signal }).then(([message]) => {
        const report = message as Report;
        if (report.kind !== kind) throw new Error(`expected ${kind} and got ${report.kind}`);
        return report as Extract<Report, { kind: K }>;
      }),
      once(child, 'exit', { signal: quit.signal }).then(([code, signal]) => {
        throw new Error(`the server ended before ${kind}: ${code ?? signal}`);
      }),
    ]);
  } finally {
    quit.abort();
  }
}
