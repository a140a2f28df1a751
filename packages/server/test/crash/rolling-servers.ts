// Servers on one PostgreSQL database behind a balancer that follows /readyz. They are replaced one by one, by servers of
// a newer version: the same program with two more migrations.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDatabase } from '@sealpost/dev-env/harness';
import { type RoundRobin, startRoundRobin } from '@sealpost/dev-env/round-robin';
import { builtServer } from './built-server.ts';
import { answer } from './killable-server.ts';
import type { Person } from './server-with-crash-points.ts';

const LOOK_MS = 100;
const NO_LIMIT = '1000000+100000';
/** The migrations of the newer version, on tables that every send writes. */
const NEWER: Readonly<Record<string, string>> = {
  '0901-made-up.sql': 'alter table operation add column made_up bigint not null default 0',
  '0902-made-up.contract.sql': 'alter table operation drop column made_up',
};
export const NEWEST = 902;

export interface RollingServers {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly url: () => Promise<string>;
  people(count: number): Promise<readonly Person[]>;
  /** Starts a server of the newer version, and stops the oldest one. Resolves when that one has ended. */
  replaceOldest(): Promise<void>;
  close(): Promise<void>;
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
}

export async function startRollingServers(
  count: number,
  settings: Readonly<Record<string, string>>,
): Promise<RollingServers> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-rolling-'));
  const database = await createDatabase();
  const balancer = await startRoundRobin();
  const older = (await builtServer()).entry;
  const newer = newerThan(older, join(folder, 'newer'));
  const servers: Server[] = [];
  const children: ChildProcess[] = [];
  const looking = followReadiness(balancer, servers);
  const flags = {
    port: '0',
    'public-url': balancer.url,
    'trusted-proxies': 'loopback',
    'database-url': database.url,
    'objects-url': `file:${join(folder, 'objects')}`,
    'log-level': 'silent',
    ...Object.fromEntries(['send', 'write', 'read', 'key', 'login'].map((name) => [`rate-${name}`, NO_LIMIT])),
    ...settings,
  };

  async function start(entry: string): Promise<void> {
    const child = fork(entry);
    children.push(child);
    await answer(child, 'standing-by');
    const opened = answer(child, 'open');
    child.send({ kind: 'open', flags: { ...flags, 'data-dir': join(folder, `server-${children.length}`) } });
    servers.push({ child, url: localUrl((await opened).port) });
  }

  for (let n = 0; n < count; n += 1) await start(older);
  await looking.all(count);
  return {
    dataDir: folder,
    databaseUrl: database.url,
    url: async () => balancer.url,
    async people(number) {
      const { child } = servers[0] as Server;
      const made = answer(child, 'people');
      child.send({ kind: 'people', count: number });
      return (await made).people;
    },
    async replaceOldest() {
      await start(newer);
      await looking.all(count + 1);
      const { child } = servers[0] as Server;
      const ended = once(child, 'exit');
      child.send({ kind: 'stop' });
      await ended;
      servers.shift();
    },
    async close() {
      looking.end();
      for (const child of children) child.kill('SIGKILL');
      await balancer.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const localUrl = (port: number): string => `http://127.0.0.1:${port}`;

/** Copies a bundled program, and gives the copy the migrations of the newer version. Returns the path of the copy. */
function newerThan(entry: string, folder: string): string {
  const from = dirname(dirname(entry));
  mkdirSync(folder);
  cpSync(from, folder, { recursive: true, verbatimSymlinks: true });
  const [first] = globSync('**/0001-init.sql', { cwd: folder });
  if (!first) throw new Error(`${folder} has no migrations`);
  for (const [name, text] of Object.entries(NEWER)) writeFileSync(join(folder, dirname(first), name), text);
  return join(folder, entry.slice(from.length + 1));
}

/** Sends requests only to servers that are ready, as balancers do. */
function followReadiness(balancer: RoundRobin, servers: readonly Server[]) {
  let ended = false;
  let ready = 0;
  let looked = Promise.withResolvers<void>();
  const isReady = ({ url }: Server): Promise<boolean> =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  async function look(): Promise<void> {
    while (!ended) {
      const known = [...servers];
      const states = await Promise.all(known.map(isReady));
      const urls = known.flatMap(({ url }, n) => (states[n] ? [url] : []));
      balancer.toward(urls);
      ready = urls.length;
      looked.resolve();
      looked = Promise.withResolvers();
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
  const running = look();
  return {
    /** Resolves when so many servers are ready. */
    async all(count: number): Promise<void> {
      do await Promise.race([looked.promise, running]);
      while (ready < count && !ended);
    },
    end: () => {
      ended = true;
    },
  };
}
