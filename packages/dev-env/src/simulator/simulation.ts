// One simulation: gateways that share a store, and devices with clients of the SDK, in one process on virtual time. The
// seed decides every order, delay and fault.
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { httpPaths } from '@sealpost/contract';
import { newestIdIn } from '@sealpost/server/internal';
import { createRandom, type Random, splitRandom } from '../workload/random.ts';
import { Actors } from './actors.ts';
import { commandOfCall, type Device } from './device.ts';
import { SimulatedDisk } from './disk.ts';
import { Faults } from './faults.ts';
import { type Shared, SimulatedGateway } from './gateway.ts';
import { History } from './history.ts';
import type { Image } from './image.ts';
import { Judge, shown } from './judge.ts';
import type { Call } from './link.ts';
import { Moves } from './moves.ts';
import { Network } from './network.ts';
import { ObjectPlace } from './object-place.ts';
import { present } from './present.ts';
import { Regrets } from './regrets.ts';
import { type Process, Schedule } from './schedule.ts';
import { settle } from './settle.ts';
import { Users } from './users.ts';

const MOST_GATEWAYS = 3;
/** Most milliseconds until something that crashed starts again. */
const DOWN_MS = 1_500;
/** Milliseconds for which a healed simulation may go on until every client has everything. */
export const PATIENCE_MS = 120_000;

export interface SimulationOptions {
  /** True to print each line of the history. */
  readonly print?: boolean;
  /** The names of the only commands and faults to run; without it, all that the seed has. */
  readonly kept?: ReadonlySet<string>;
}

export interface Player {
  readonly mid: string;
  readonly userid: string;
}

export class Simulation {
  readonly seed: number;
  readonly image: Image;
  readonly random: Random;
  readonly #users: Users;
  readonly schedule: Schedule;
  readonly moves: Moves;
  readonly faults: Faults;
  readonly history: History;
  readonly judge: Judge;
  readonly regrets: Regrets;
  readonly network: Network;
  readonly disk: SimulatedDisk;
  readonly objects: ObjectPlace;
  readonly actors: Actors;
  /** What goes on outside of all machines: users, and the start of machines. */
  readonly world: Process = { name: 'world', alive: true };
  readonly gateways: SimulatedGateway[] = [];
  readonly folder: string;
  readonly #shared: Shared;
  /** The gateways of the present commit. */
  readonly #committers = new Set<SimulatedGateway>();
  /** Gateways and accounts for which a wake-up was lost. */
  readonly #untold = new Set<string>();
  /** Whether the last commit before a power loss was durable. */
  #lastWasDurable = false;
  /** True if the power is to fail in the commit that is under way. */
  #failsInCommit = false;
  #starts = 0;

  constructor(seed: number, image: Image, { print = false, kept }: SimulationOptions = {}) {
    this.seed = seed;
    this.image = image;
    this.folder = mkdtempSync(join(dirname(image.path), 'seed-'));
    this.random = createRandom(seed);
    this.#users = new Users(this, splitRandom(this.random));
    this.schedule = new Schedule(this.random, image.time);
    this.moves = new Moves(kept);
    this.faults = new Faults(this.random, this.moves);
    this.history = new History(print);
    const { random, schedule, faults, history } = this;
    this.judge = new Judge(schedule.clock);
    this.regrets = new Regrets(this.judge, faults);
    this.network = new Network({
      ...{ schedule, random, faults, history },
      gateways: () => this.gateways,
      onCall: (call) => {
        if (this.judge.called(call, this.regrets.called(call, commandOfCall.getStore()))) faults.saw('stream resumed');
      },
      onAnswer: (answer) => {
        this.regrets.answered(answer);
        if (answer.call.path === httpPaths.tokenRefresh) {
          if (this.judge.renewed(answer)) this.faults.saw('lost renewal repeated');
        } else if (this.judge.answer(answer)) this.faults.saw('retry answered from the store');
      },
      onStream: (call, bytes, gateway) => {
        const news = this.judge.heard(call, bytes);
        if (news > 0 && this.#untold.delete(`${gateway.name} ${call.account}`))
          faults.saw('news found without its wake-up');
      },
    });
    this.disk = new SimulatedDisk(join(this.folder, 'disk'), image.path, {
      ...{ schedule, random },
      atCrashPoint: (name) => this.#atCrashPoint(name),
    });
    this.objects = new ObjectPlace(schedule.clock.now, (key) =>
      this.judge.violated('objects', `two gateways wrote ${key} at once`),
    );
    this.#shared = {
      ...{ seed, schedule, random, faults, folder: this.folder },
      store: () => this.disk.store,
      objects: this.objects,
      gateways: () => this.gateways.filter(({ alive }) => alive),
      onCommit: (call, { gateway, store }) => {
        const isCurrent = this.disk.hasPower && store === this.disk.store;
        if (isCurrent || this.#lastWasDurable) this.#committed(call, gateway);
      },
      onLostWake: ({ name }, accountIds) => {
        for (const id of accountIds) this.#untold.add(`${name} ${image.accountIds.indexOf(id)}`);
      },
      crash: (gateway, fault) => {
        faults.happened(fault);
        this.crash(gateway);
      },
    };
    this.actors = new Actors(image, {
      ...{ seed, schedule, random, faults, network: this.network, world: this.world },
      ...{ judge: this.judge, moves: this.moves },
      note: (what, ...details) => this.note(what, ...details),
    });
  }

  get devices(): readonly Device[] {
    return this.actors.devices;
  }

  get midsAndUserids(): readonly Player[] {
    return this.devices.map(({ mid }, account) => ({ mid, userid: present(this.image.userids[account], 'userid') }));
  }

  note(what: string, ...details: readonly unknown[]): void {
    this.history.note(this.schedule.now, what, ...details);
  }

  async start(): Promise<void> {
    this.disk.open();
    const count = 1 + this.random.below(MOST_GATEWAYS);
    for (let number = 0; number < count; number++) await this.#startGateway(number);
    await this.actors.start();
    await settle(this.schedule);
  }

  /** Runs the next event, with all that it causes. Sometimes several events run at once. */
  async step(until: number): Promise<boolean> {
    const goes = await this.schedule.step(until);
    if (!this.random.oneIn(3)) await settle(this.schedule);
    return goes;
  }

  /** Runs events until the condition holds. Returns false if it does not hold in time. */
  async until(isDone: () => boolean, ms = PATIENCE_MS): Promise<boolean> {
    const end = this.schedule.now + ms;
    while (!isDone()) if (!(await this.step(end))) return isDone();
    return true;
  }

  /** Runs events until a promise settles. @throws Error if it does not settle in time */
  async drive<T>(work: Promise<T>, what: string): Promise<T> {
    let over = false;
    const noted = work.finally(() => {
      over = true;
    });
    noted.catch(() => {});
    if (!(await this.until(() => over))) throw new Error(`${what} took longer than ${PATIENCE_MS} ms`);
    return noted;
  }

  /** Lets users give commands while faults happen. */
  async load(): Promise<void> {
    this.#users.think();
    await this.until(() => this.#users.areDone, Number.POSITIVE_INFINITY);
    this.note('all commands are given');
  }

  /** True if every command has its answer, and every machine is up. */
  get isQuiet(): boolean {
    const up = this.disk.hasPower && this.gateways.every(({ alive, ready }) => alive && ready);
    const waits = this.devices.some(
      ({ process, client }) => !process.alive || client.outbox.all().some(({ state }) => state !== 'failed'),
    );
    return up && !waits && !this.regrets.areOpen && !this.#users.areBusy && !this.actors.areBusy;
  }

  crash(gateway: SimulatedGateway): void {
    if (!gateway.alive) return;
    this.note('crash', gateway.name);
    gateway.alive = false;
    this.network.crashed(gateway);
    this.schedule.after(this.random.below(DOWN_MS), this.world, async () => {
      if (this.disk.hasPower && this.gateways[gateway.number] === gateway) await this.#startGateway(gateway.number);
    });
  }

  /** Ends all gateways at once, and reopens the database as it is durable at this moment. */
  losePower(torn: boolean): void {
    const { lost, garbage } = this.disk.losePower(torn);
    this.note('power loss', { torn, lost, garbage });
    if (lost > 0 || garbage > 0) this.faults.saw('torn log reopened');
    this.#lastWasDurable = torn && lost === 0;
    for (const gateway of this.gateways) {
      gateway.alive = false;
      this.network.crashed(gateway);
    }
    this.schedule.after(this.random.below(DOWN_MS), this.world, async () => {
      await settle(this.schedule);
      this.note('power is back');
      this.disk.open();
      for (const { number } of [...this.gateways]) await this.#startGateway(number);
    });
  }

  crashDevice(device: Device): void {
    if (!device.process.alive) return;
    this.note('crash', device.process.name);
    device.crash();
    this.schedule.after(this.random.below(DOWN_MS), this.world, () => device.start());
  }

  async close(): Promise<void> {
    for (const gateway of this.gateways) gateway.alive = false;
    this.actors.close();
    this.world.alive = false;
    this.network.close();
    await settle(this.schedule);
    await this.disk.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #startGateway(number: number): Promise<void> {
    const gateway = new SimulatedGateway(this.#shared, number, ++this.#starts);
    this.gateways[number] = gateway;
    await settle(this.schedule);
    this.note('start', gateway.name);
    await gateway.start(await newestIdIn(this.disk.store));
  }

  #atCrashPoint(name: string): void {
    const { faults } = this;
    if (name === 'transaction.before-begin') this.#committers.clear();
    if (!this.gateways.every(({ ready }) => ready)) return;
    if (name === 'transaction.written' && faults.draw('power loss inside a commit')) {
      this.#failsInCommit = true;
      this.disk.beginLastCommit();
    } else if (name === 'transaction.committed') {
      if (!this.#failsInCommit) return;
      this.#failsInCommit = false;
      faults.happened('power loss inside a commit');
      this.losePower(true);
      faults.saw(this.#lastWasDurable ? 'unanswered commit was durable' : 'unanswered commit was lost');
    } else if (faults.draw('power loss')) {
      faults.happened('power loss');
      this.losePower(false);
    }
  }

  #committed(call: Call, gateway: SimulatedGateway): void {
    this.#committers.add(gateway);
    if (this.#committers.size === 2) this.faults.saw('two gateways in one commit');
    const given = this.judge.commit(call);
    if (!given) return;
    this.note('commit', shown(given), { index: given.index });
    const device = this.devices[given.command.by];
    if (given.command.do === 'send' && device?.process.name !== given.device)
      this.faults.saw('outbox sent after a crash');
  }
}
