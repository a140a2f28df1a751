// The users of a simulation: what they want next, and how they go on until they have an answer.
import { GatewayError } from '@sealpost/sdk';
import { callWith } from '../workload/calls.ts';
import type { Command } from '../workload/commands.ts';
import { type Random, splitRandom } from '../workload/random.ts';
import { nextCommand } from '../workload/workload.ts';
import type { Actors } from './actors.ts';
import { commandOfCall, type Device, DeviceCrashed } from './device.ts';
import type { Faults } from './faults.ts';
import type { Image } from './image.ts';
import { type Given, type Judge, shown } from './judge.ts';
import type { Moves } from './moves.ts';
import { present } from './present.ts';
import type { Regrets } from './regrets.ts';
import { never, type Process, type Schedule } from './schedule.ts';

const COMMANDS = 70;
/** Most milliseconds between two commands. */
const THINK_MS = 60;
const RETRY_MS = 700;
/** Number of chances of which about one ends the session of the guest. */
const GUEST_ODDS = 12;
/** Number of seeds of which about one has users that take texts back. The wait for what arrived takes long. */
const REGRETFUL_ODDS = 3;
/** Number of queued texts of which about one is taken back in such a seed. */
const REGRET_ODDS = 2;
/** Most milliseconds until a queued text is taken back. */
const REGRET_MS = 400;
/** Number of the first command, which is also its reqSeq. */
const FIRST_NUMBER = 1_000_000_000;

/** The simulation that the users live in. */
export interface Stage {
  readonly seed: number;
  readonly image: Image;
  readonly schedule: Schedule;
  readonly moves: Moves;
  readonly faults: Faults;
  readonly judge: Judge;
  readonly regrets: Regrets;
  readonly actors: Actors;
  readonly world: Process;
  note(what: string, ...details: readonly unknown[]): void;
  crashDevice(device: Device): void;
}

export class Users {
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #regrets: Random;
  readonly #areRegretful: boolean;
  readonly #busy = new Set<number>();
  #given = 0;

  /** @param random the generator of what users do */
  constructor(stage: Stage, random: Random) {
    this.#stage = stage;
    this.#random = random;
    this.#regrets = splitRandom(random);
    this.#areRegretful = this.#regrets.oneIn(REGRETFUL_ODDS);
  }

  /** True if all commands are given. */
  get areDone(): boolean {
    return this.#given >= COMMANDS;
  }

  /** True if a command waits for its answer. Texts in an outbox do not count. */
  get areBusy(): boolean {
    return this.#busy.size > 0;
  }

  /** Gives the next command some time later, again and again. */
  think(): void {
    const { schedule, world, faults, actors } = this.#stage;
    const user = splitRandom(this.#random);
    schedule.after(user.below(THINK_MS), world, () => {
      if (this.areDone) return;
      if (faults.draw('client crash')) {
        const device = user.pick(actors.devices);
        if (device.process.alive) faults.happened('client crash');
        this.#stage.crashDevice(device);
      } else if (user.oneIn(GUEST_ODDS)) void actors.guest.end();
      else this.#giveNext(user);
      this.think();
    });
  }

  #giveNext(user: Random): void {
    const { seed, judge, moves, actors } = this.#stage;
    const drawn = nextCommand(seed, user, judge.model);
    const command = drawn && this.#possible(drawn);
    if (!command) return;
    const number = FIRST_NUMBER + ++this.#given;
    const move = moves.next('command');
    if (move === undefined) return;
    const unique = command.do === 'send' ? { ...command, text: `text-${seed}-${number}.` } : command;
    const given = judge.give(number, unique, actors.devices[unique.by]?.process.name ?? '');
    moves.describe(move, shown(given));
    this.#stage.note('give', shown(given));
    if (unique.do === 'send') void this.#queue(given);
    else void this.#perform(given);
  }

  /** Returns the command if a user can give it now: the user's device is up and idle, and knows all ids. */
  #possible(command: Command): Command | undefined {
    const { actors, judge } = this.#stage;
    const device = actors.devices[command.by];
    if (!device?.process.alive || this.#busy.has(command.by)) return undefined;
    // These calls have no reqSeq, or repeat what the network repeats anyway.
    if (['repeat', 'postback', 'findByUserid'].includes(command.do)) return undefined;
    const { chatMids, messageIds } = judge;
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
    const { judge } = this.#stage;
    const { devices } = this.#stage.actors;
    const device = present(devices[command.by], 'device');
    const mid = 'user' in command.to ? devices[command.to.user]?.mid : judge.chatMids.get(command.to.chat);
    given.doubtful = true;
    await device.orCrash(device.client.messaging.queueText(present(mid, 'mid'), command.text, { mode: 'plain' })).then(
      (localId) => {
        given.doubtful = false;
        if (this.#areRegretful && this.#regrets.oneIn(REGRET_ODDS)) this.#regret(given, device, localId);
      },
      (error) => {
        if (!(error instanceof DeviceCrashed)) judge.violated('no-fault', `${shown(given)} was not queued: ${error}`);
      },
    );
  }

  /** Takes a text back some time later, if its device is up and it is still in the outbox by then. */
  #regret(given: Given, device: Device, localId: string): void {
    const { schedule, world, regrets } = this.#stage;
    schedule.after(this.#regrets.below(REGRET_MS), world, () => {
      const waits = device.process.alive && device.client.outbox.all().some((row) => row.localId === localId);
      if (waits) void regrets.takeBack(given, device, localId);
    });
  }

  /** Makes the call of a command until it is answered, as a user does who gets no answer. */
  async #perform(given: Given): Promise<void> {
    const { command, number } = given;
    const { seed, judge, image, schedule, world } = this.#stage;
    const { devices } = this.#stage.actors;
    const device = present(devices[command.by], 'device');
    this.#busy.add(command.by);
    const { chatMids, messageIds } = judge;
    const players = devices.map(({ client, mid }, account) => {
      return { client: client.rpc, mid, userid: present(image.userids[account], 'userid') };
    });
    for (let over = false; !over && world.alive; ) {
      if (device.process.alive) {
        const workload = { seed, people: 0, officials: 0, commands: [] };
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
      if (!over) await schedule.sleep(RETRY_MS, world);
    }
    if (!world.alive) await never();
    this.#busy.delete(command.by);
  }

  #isRefusal(given: Given, error: unknown): boolean {
    if (!(error instanceof GatewayError) || error.error === undefined || error.retry || error.http >= 500) return false;
    this.#stage.judge.refused(given, error.error);
    return true;
  }
}
