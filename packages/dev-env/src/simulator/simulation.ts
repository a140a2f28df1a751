// One simulation: gateways that share a store, and devices with clients of the SDK, in one process on virtual time. The
// seed decides every order, delay and fault.
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { httpPaths } from '@sealpost/contract';
import { GatewayError } from '@sealpost/sdk';
import { newestIdIn } from '@sealpost/server/internal';
import { callWith } from '../workload/calls.ts';
import type { Command } from '../workload/commands.ts';
import { createRandom, type Random, splitRandom } from '../workload/random.ts';
import { nextCommand } from '../workload/workload.ts';
import { Actors } from './actors.ts';
import { commandOfCall, type Device, DeviceCrashed } from './device.ts';
import { SimulatedDisk } from './disk.ts';
import { Faults } from './faults.ts';
import { type Shared, SimulatedGateway } from './gateway.ts';
import { History } from './history.ts';
import type { Image } from './image.ts';
import { type Given, Judge, shown } from './judge.ts';
import type { Call } from './link.ts';
import { Moves } from './moves.ts';
import { Network } from './network.ts';
import { ObjectPlace } from './object-place.ts';
import { present } from './present.ts';
import { never, type Process, Schedule } from './schedule.ts';
import { settle } from './settle.ts';

const MOST_GATEWAYS = 3;
const COMMANDS = 70;
/** Most milliseconds between two commands, and until something that crashed starts again. */
const THINK_MS = 60;
const DOWN_MS = 1_500;
const RETRY_MS = 700;
/** Number of chances of which about one ends the session of the guest. */
const GUEST_ODDS = 12;
/** Number of the first command, which is also its reqSeq. */
const FIRST_NUMBER = 1_000_000_000;
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
  /** The generator of what users do. */
  readonly #users: Random;
  readonly schedule: Schedule;
  readonly moves: Moves;
  readonly faults: Faults;
  readonly history: History;
  readonly judge: Judge;
  readonly network: Network;
  readonly disk: SimulatedDisk;
  readonly objects: ObjectPlace;
  readonly actors: Actors;
  /** What goes on outside of all machines: users, and the start of machines. */
  readonly world: Process = { name: 'world', alive: true };
  readonly gateways: SimulatedGateway[] = [];
  readonly folder: string;
  readonly #shared: Shared;
  readonly #busy = new Set<number>();
  /** The gateways of the present commit. */
  readonly #committers = new Set<SimulatedGateway>();
  /** Gateways and accounts for which a wake-up was lost. */
  readonly #untold = new Set<string>();
  /** Whether the last commit before a power loss was durable. */
  #lastWasDurable = false;
  /** True if the power is to fail in the commit that is under way. */
  #failsInCommit = false;
  #starts = 0;
  #given = 0;

  constructor(seed: number, image: Image, { print = false, kept }: SimulationOptions = {}) {
    this.seed = seed;
    this.image = image;
    this.folder = mkdtempSync(join(dirname(image.path), 'seed-'));
    this.random = createRandom(seed);
    this.#users = splitRandom(this.random);
    this.schedule = new Schedule(this.random, image.time);
    this.moves = new Moves(kept);
    this.faults = new Faults(this.random, this.moves);
    this.history = new History(print);
    const { random, schedule, faults, history } = this;
    this.judge = new Judge(schedule.clock);
    this.network = new Network({
      ...{ schedule, random, faults, history },
      gateways: () => this.gateways,
      onCall: (call) => {
        if (this.judge.called(call, commandOfCall.getStore())) faults.saw('stream resumed');
      },
      onAnswer: (answer) => {
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
    this.#think();
    await this.until(() => this.#given >= COMMANDS, Number.POSITIVE_INFINITY);
    this.note('all commands are given');
  }

  /** True if every command has its answer, and every machine is up. */
  get isQuiet(): boolean {
    const up = this.disk.hasPower && this.gateways.every(({ alive, ready }) => alive && ready);
    const waits = this.devices.some(
      ({ process, client }) => !process.alive || client.outbox.all().some(({ state }) => state !== 'failed'),
    );
    return up && !waits && this.#busy.size === 0 && !this.actors.areBusy;
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

  /** Gives the next command some time later, again and again. */
  #think(): void {
    const user = splitRandom(this.#users);
    this.schedule.after(user.below(THINK_MS), this.world, () => {
      if (this.#given >= COMMANDS) return;
      if (this.faults.draw('client crash')) {
        const device = user.pick(this.devices);
        if (device.process.alive) this.faults.happened('client crash');
        this.crashDevice(device);
      } else if (user.oneIn(GUEST_ODDS)) void this.actors.guest.end();
      else this.#giveNext(user);
      this.#think();
    });
  }

  #giveNext(user: Random): void {
    const drawn = nextCommand(this.seed, user, this.judge.model);
    const command = drawn && this.#possible(drawn);
    if (!command) return;
    const number = FIRST_NUMBER + ++this.#given;
    const move = this.moves.next('command');
    if (move === undefined) return;
    const unique = command.do === 'send' ? { ...command, text: `text-${this.seed}-${number}.` } : command;
    const given = this.judge.give(number, unique, this.devices[unique.by]?.process.name ?? '');
    this.moves.describe(move, shown(given));
    this.note('give', shown(given));
    if (unique.do === 'send') void this.#queue(given);
    else void this.#perform(given);
  }

  /** Returns the command if a user can give it now: the user's device is up and idle, and knows all ids. */
  #possible(command: Command): Command | undefined {
    const device = this.devices[command.by];
    if (!device?.process.alive || this.#busy.has(command.by)) return undefined;
    // These calls have no reqSeq, or repeat what the network repeats anyway.
    if (['repeat', 'postback', 'findByUserid'].includes(command.do)) return undefined;
    const { chatMids, messageIds } = this.judge;
    const place = 'to' in command ? command.to : 'in' in command ? command.in : undefined;
    const chat = 'chat' in command ? command.chat : place && 'chat' in place ? place.chat : undefined;
    const message = 'message' in command ? command.message : undefined;
    if (chat !== undefined && !chatMids.has(chat)) return undefined;
    if (message !== undefined && !messageIds.has(message)) return undefined;
    if (command.do !== 'send' || command.replyTo === undefined) return command;
    const { replyTo: _, ...plain } = command;
    return plain;
  }

  async #queue(given: Given): Promise<void> {
    const { command } = given;
    if (command.do !== 'send') return;
    const device = present(this.devices[command.by], 'device');
    const mid = 'user' in command.to ? this.devices[command.to.user]?.mid : this.judge.chatMids.get(command.to.chat);
    given.doubtful = true;
    await device.orCrash(device.client.messaging.queueText(present(mid, 'mid'), command.text, { mode: 'plain' })).then(
      () => {
        given.doubtful = false;
      },
      (error) => {
        if (!(error instanceof DeviceCrashed))
          this.judge.violated('no-fault', `${shown(given)} was not queued: ${error}`);
      },
    );
  }

  /** Makes the call of a command until it is answered, as a user does who gets no answer. */
  async #perform(given: Given): Promise<void> {
    const { command, number } = given;
    const device = present(this.devices[command.by], 'device');
    this.#busy.add(command.by);
    const { chatMids, messageIds } = this.judge;
    const players = this.devices.map(({ client, mid }, account) => {
      return { client: client.rpc, mid, userid: present(this.image.userids[account], 'userid') };
    });
    for (let over = false; !over && this.world.alive; ) {
      if (device.process.alive) {
        const workload = { seed: this.seed, people: 0, officials: 0, commands: [] };
        const client = device.client.rpc;
        const game = {
          workload,
          players: players.with(command.by, { ...players[command.by]!, client }),
          chatMids,
          messageIds,
        };
        const call = () => callWith(game, command, number);
        over = await device.orCrash(commandOfCall.run(number, call)).then(
          () => {
            given.acknowledged = true;
            return true;
          },
          (error: unknown) => this.#isRefusal(given, error),
        );
      }
      if (!over) await this.schedule.sleep(RETRY_MS, this.world);
    }
    if (!this.world.alive) await never();
    this.#busy.delete(command.by);
  }

  #isRefusal(given: Given, error: unknown): boolean {
    if (!(error instanceof GatewayError) || error.error === undefined || error.retry || error.http >= 500) return false;
    this.judge.refused(given, error.error);
    return true;
  }
}
