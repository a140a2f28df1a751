// The disk of a simulation: a real SQLite database, which a power loss reopens as what was durable.
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CrashPointName, openSqlite, type Store } from '@sealpost/server/internal';
import type { Random } from '../workload/random.ts';
import type { Process, Schedule } from './schedule.ts';

const FILE = 'sealpost.db';
const MOST_GARBAGE = 3000;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export interface DiskDeps {
  readonly schedule: Schedule;
  readonly random: Random;
  /** Called at each crash point of the store. */
  readonly atCrashPoint: (name: CrashPointName) => void;
}

export class SimulatedDisk {
  readonly #root: string;
  readonly #deps: DiskDeps;
  #power: Process = { name: 'disk', alive: true };
  #generation = 0;
  #store: Store | undefined;
  readonly #old: Store[] = [];
  /** Size of the write-ahead log before the commit in which the power fails. */
  #before = 0;

  /** @param image the database with which the simulation begins */
  constructor(root: string, image: string, deps: DiskDeps) {
    this.#root = root;
    this.#deps = deps;
    mkdirSync(this.#folder, { recursive: true });
    copyFileSync(image, join(this.#folder, FILE));
  }

  get store(): Store {
    if (!this.#store) throw new Error('there is no power');
    return this.#store;
  }

  get hasPower(): boolean {
    return this.#store !== undefined;
  }

  /** The path of the database file. */
  get path(): string {
    return join(this.#folder, FILE);
  }

  get #folder(): string {
    return join(this.#root, String(this.#generation));
  }

  open(): void {
    const { schedule, atCrashPoint } = this.#deps;
    const power = { name: 'disk', alive: true };
    this.#power = power;
    this.#store = openSqlite({
      path: this.path,
      crashPoint: (name) => power.alive && atCrashPoint(name),
      timeCommit: () => () => {},
      timers: schedule.timersOf(power),
      check: this.#generation === 0 ? 'never' : 'always',
      onNotice: () => {},
      onError: (error) => {
        throw error;
      },
      onFatal: (error) => {
        throw error;
      },
    });
  }

  /** Notes that the power fails in the commit that begins now. */
  beginLastCommit(): void {
    this.#before = sizeOf(`${this.path}-wal`);
  }

  /**
   * Takes what is durable at this moment as the next content of the disk. The store that is open now goes on with files
   * that nobody will see.
   * @param torn true if the last commit may be cut off at any byte, because nobody was told of it
   * @returns the bytes of the last commit that were lost, and of the garbage after the log
   */
  losePower(torn: boolean): { readonly lost: number; readonly garbage: number } {
    const { random } = this.#deps;
    const [file, log] = [this.path, `${this.path}-wal`];
    this.#power.alive = false;
    if (this.#store) this.#old.push(this.#store);
    this.#store = undefined;
    this.#generation += 1;
    mkdirSync(this.#folder);
    copyFileSync(file, this.path);
    const size = sizeOf(log);
    if (size === 0) return { lost: 0, garbage: 0 };
    const cut = torn && size > this.#before && !random.oneIn(4);
    const end = cut ? this.#before + random.below(size - this.#before) : size;
    const garbage = random.oneIn(2) ? random.below(MOST_GARBAGE) : 0;
    const tail = Uint8Array.from({ length: garbage }, () => random.below(256));
    writeFileSync(`${this.path}-wal`, Buffer.concat([readFileSync(log).subarray(0, end), tail]));
    return { lost: size - end, garbage };
  }

  async close(): Promise<void> {
    for (const store of [...this.#old, ...(this.#store ? [this.#store] : [])]) await store.close();
  }
}
