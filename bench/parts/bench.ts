// What all parts of `npm run bench` share: the load, a folder with users, and functions that start servers. What they
// start and make ends with the run.
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { dataFolder, type Gateway, makeUsers, startGateway } from '../gateway.ts';
import type { GatewayMeasure } from '../load.ts';
import { type LoadProcess, startLoad } from '../load-process.ts';
import { messageOf, SERVER_CORE, spawnPinned, stop } from '../pinned-process.ts';
import type { User } from '../request.ts';
import type { Scenario } from '../scenarios.ts';
import type { Undo } from '../undo.ts';

const PAIRS = 50;
/** Number of users in the prepared folder. */
export const USERS = PAIRS * 2;

export interface BenchOptions {
  readonly quick: boolean;
  readonly rounds: number;
  /** True if each server writes a profile of its processor time. */
  readonly profile: boolean;
}

/** A data folder with users who already have chats. Each server that needs such a folder gets a copy of it. */
export interface Prepared {
  readonly folder: string;
  readonly users: readonly User[];
}

/** The server that a scenario runs against. */
export interface Target {
  readonly port: number;
  readonly pid: number;
  readonly users: readonly User[];
}

export interface Bench extends BenchOptions {
  readonly load: LoadProcess;
  readonly prepared: Prepared;
  readonly times: { readonly warmUpMs: number; readonly measureMs: number };
  readonly later: Undo['later'];
  newFolder(): string;
  /** Returns a new folder with a copy of the data of another. */
  copyOf(folder: string): string;
  start(folder: string, databaseUrl?: string, env?: Readonly<Record<string, string>>): Promise<Gateway>;
  startFloor(): Promise<Target>;
  /**
   * Starts the floor that stores and delivers.
   * @param database on what it stores, and where: the folder of a server, or the address of its database
   */
  startStoringFloor(database: 'sqlite' | 'postgres', place: string, users: readonly User[]): Promise<Target>;
  measure(target: Target, scenario: Pick<Scenario, 'inFlight' | 'delivered'>): Promise<GatewayMeasure>;
}

export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export async function createBench(options: BenchOptions, { later }: Undo): Promise<Bench> {
  const load = later(await startLoad(), (process) => process.stop());
  const newFolder = (): string => later(dataFolder(), (folder) => rmSync(folder, { recursive: true, force: true }));
  const prepared = await prepare(load, newFolder());
  const times = options.quick ? { warmUpMs: 700, measureMs: 1500 } : { warmUpMs: 1500, measureMs: 5000 };
  function copyOf(folder: string): string {
    const copy = newFolder();
    cpSync(path.join(folder, 'data'), path.join(copy, 'data'), { recursive: true });
    return copy;
  }
  async function startBare(program: string, users: readonly User[], ...args: string[]): Promise<Target> {
    const file = path.join(import.meta.dirname, '..', program);
    const child = later(spawnPinned(file, [JSON.stringify(users), ...args], { core: SERVER_CORE }), (it) =>
      stop(it, 'SIGKILL'),
    );
    return { port: (await messageOf(child)) as number, pid: child.pid as number, users };
  }
  return {
    ...options,
    ...{ load, prepared, times, later, newFolder },
    copyOf,
    async start(folder, databaseUrl, env = {}) {
      const flags = options.profile ? profiling(databaseUrl ? 'postgres' : 'sqlite') : [];
      return later(await startGateway(folder, databaseUrl, flags, { core: SERVER_CORE, env }), (it) => it.stop());
    },
    startFloor: () => startBare('floor.ts', prepared.users),
    startStoringFloor: (database, place, users) => startBare('storing-floor.ts', users, database, place),
    measure: (target, { inFlight, delivered }) => load.send({ ...target, inFlight, delivered, ...times }),
  };
}

/** A fixed file name would let a worker thread overwrite the profile of the main thread. */
const profiling = (name: string): readonly string[] => [
  '--cpu-prof',
  `--cpu-prof-dir=${path.resolve('bench-profiles', name)}`,
];

async function prepare(load: LoadProcess, folder: string): Promise<Prepared> {
  say(`making ${USERS} users`);
  const gateway = await startGateway(folder);
  const users = await makeUsers(gateway, USERS);
  const { port, pid } = gateway;
  await load.send({ port, pid, users, inFlight: PAIRS, delivered: false, warmUpMs: 100, measureMs: 100 });
  await gateway.stop();
  return { folder, users };
}
