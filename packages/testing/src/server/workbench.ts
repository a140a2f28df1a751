// A running server together with what tests control: its clock, faults, recorded calls and saved states.
import type { Socket } from 'node:net';
import type { Operation, OperationTypeName } from '@sealpost/contract';
import { operationTypes } from '@sealpost/contract';
import type { Clock, Timers } from '@sealpost/contract/ports';
import type { DevAccount, DevClock, SeenOperation, Span, Trigger, Universe } from '@sealpost/contract/workbench';
import {
  createServer,
  type Emitted,
  type LoggedOperation,
  type loadConfig,
  operationJson,
  type RunningServer,
  type ServerPorts,
  type Workbench as ServerWorkbench,
  systemPorts,
} from '@sealpost/server/workbench';
import { type CallLog, createCallLog, seenOf } from '../calls/call-log.ts';
import { createFaults, type Faults } from '../calls/faults.ts';
import { createStreamTaps, type StreamTaps } from '../calls/stream-taps.ts';
import { triggerEvent } from '../calls/trigger.ts';
import { createWatch } from '../calls/watch.ts';
import { seededCrypto } from '../seed/seeded-crypto.ts';
import { type SeededRandom, seededRandom } from '../seed/seeded-random.ts';
import { type ClientSidePorts, createClientWork } from '../time/client-work.ts';
import { keptAlive } from '../time/kept-alive.ts';
import { createRunningCalls } from '../time/running-calls.ts';
import { millisOf } from '../time/span.ts';
import { turn, type VirtualTime, virtualTime } from '../time/virtual-time.ts';
import { createAccounts, type TestAccounts } from './accounts.ts';
import { createHeldRequests } from './held-requests.ts';
import { createNews, type News } from './news.ts';
import { expireTokens } from './queries.ts';
import { createUniverses, type UniverseFacts, type Universes } from './universes.ts';

type Config = ReturnType<typeof loadConfig>;
export interface WorkbenchOptions {
  /** The seed for all random bytes of the server. If undefined, they come from the machine's random source. */
  readonly seed: number | string | undefined;
  readonly clock: 'virtual' | 'real';
  /** The time at which a virtual clock starts, in epoch milliseconds. */
  readonly startTime: number;
  /**
   * Returns the settings of the server with this port. 0 chooses a free port; undefined keeps the port of the settings.
   */
  readonly configFor: (port: number | undefined) => Config;
  readonly port: number | undefined;
  /** The saved state that was copied into the data folder; undefined if none was. */
  readonly state?: UniverseFacts | undefined;
  /** The folder of saved states. */
  readonly universes: string;
  /** Serves requests to the workbench API. */
  readonly serve: ServerWorkbench['serve'];
  /** Runs before the first request, at each start. Returns the accounts that it made or found. */
  readonly prepare?: ((slices: RunningServer['slices']) => Promise<readonly DevAccount[]>) | undefined;
  readonly onListening?: ((port: number) => void) | undefined;
  readonly onFatal?: ((error: Error) => void) | undefined;
}

export interface Workbench {
  readonly seed: number | string | undefined;
  readonly server: RunningServer;
  readonly config: Config;
  readonly faults: Faults;
  readonly calls: CallLog;
  readonly news: News;
  readonly accounts: TestAccounts;
  readonly universes: Universes;
  /** The clock and timers for clients that must have the same time as the server. */
  readonly ports: ClientSidePorts;
  clock(): DevClock;
  advance(by: Span): Promise<void>;
  trigger(trigger: Trigger): Promise<number>;
  operationsOf(account: string, after: number, limit: number): Promise<SeenOperation[]>;
  save(name: string): Promise<Universe>;
  /**
   * @param except the connection of the request that asks for the reset; it stays open, because the answer goes over it
   */
  reset(name: string, except?: Socket): Promise<Universe>;
  close(): Promise<void>;
}

/** Milliseconds by which `save` moves a virtual clock forward before it saves. */
const BEFORE_SAVE_MS = 10;
/**
 * Milliseconds by which a virtual clock moves after a start, so that later ids differ from those made during the start.
 */
const AFTER_START_MS = 1000;

export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const bench = new RunningWorkbench(options);
  await bench.start(options.port, options.state);
  return bench;
}

class RunningWorkbench implements Workbench {
  readonly seed: number | string | undefined;
  readonly faults: Faults;
  readonly calls: CallLog = createCallLog();
  readonly news: News = createNews();
  readonly accounts: TestAccounts;
  readonly universes: Universes;
  readonly #options: WorkbenchOptions;
  readonly #random: SeededRandom | undefined;
  readonly #streams: StreamTaps = createStreamTaps();
  readonly #running = createRunningCalls();
  readonly #clients = createClientWork(() => this.#url);
  readonly #virtual: VirtualTime | undefined;
  readonly #held = createHeldRequests();
  #server: RunningServer | undefined;
  #config: Config | undefined;
  #port = 0;
  #url = '';

  constructor(options: WorkbenchOptions) {
    const { seed, clock, startTime, universes, configFor } = options;
    this.#options = options;
    this.seed = seed;
    this.#random = seed === undefined ? undefined : seededRandom(seed);
    this.#virtual = clock === 'virtual' ? virtualTime(startTime, () => this.#busy()) : undefined;
    // Faults use a random source separate from the server's, so that a fault does not change the ids that the server
    // generates.
    const chance = seed === undefined ? systemPorts.random : seededRandom(`${seed} faults`);
    this.faults = createFaults(chance, () => this.news.tell({ kind: 'faults', faults: this.faults.list() }));
    this.accounts = createAccounts(() => this.server);
    this.universes = createUniverses(universes, configFor(0).dataDir, () => systemPorts.clock.now());
  }

  get server(): RunningServer {
    if (!this.#server) throw new Error('the server is not running: it was closed, or is being reset');
    return this.#server;
  }

  get config(): Config {
    return this.#config as Config;
  }

  get ports() {
    return this.#clients.ports(this.#clock, this.#virtual?.timers ?? systemPorts.timers);
  }

  #busy(): boolean {
    return this.#running.busy() || this.#clients.busy();
  }

  get #clock(): Clock {
    return this.#virtual ?? systemPorts.clock;
  }

  get #timers(): Timers {
    return this.#running.timers(this.#virtual?.timers ?? systemPorts.timers);
  }

  /** @param state the saved state that was copied into the data folder */
  async start(port: number | undefined, state?: UniverseFacts): Promise<void> {
    const { configFor, serve, prepare, onListening, onFatal } = this.#options;
    this.#config = configFor(port);
    const random = this.#random;
    const ports: Partial<ServerPorts> = {
      clock: this.#clock,
      timers: this.#timers,
      ...(random && { random, slowCrypto: seededCrypto(random, this.seed) }),
    };
    let prepared: readonly DevAccount[] | undefined;
    this.#server = await createServer(this.#config, {
      ports,
      // The account may be deleted by now, or the server be closed. Then nothing is told.
      strictContract: (emitted) => void this.#appended(emitted).catch(() => {}),
      workbench: { watch: this.#watch(), serve, httpFor: (listener) => this.#held.httpFor(listener) },
      prepare: async (slices) => {
        prepared = await prepare?.(slices);
      },
      ...(onFatal && { onFatal }),
      onListening: (taken) => {
        this.#port = taken;
        onListening?.(taken);
      },
    });
    this.#url = this.#server.url;
    this.#held.own(this.#server.http);
    await this.accounts.reload(state?.accounts ?? prepared ?? []);
    this.#virtual?.move(AFTER_START_MS);
    if (state) this.#goTo(state);
  }

  /**
   * Sets the clock and the random source to those of a saved state. This undoes how far the start itself moved them.
   */
  #goTo({ clockMs, drawn }: UniverseFacts): void {
    this.#virtual?.move(clockMs - this.#virtual.now());
    if (this.#random) this.#random.drawn = drawn;
  }

  #watch() {
    return createWatch({
      clock: this.#clock,
      timers: this.#virtual?.timers ?? systemPorts.timers,
      log: this.calls,
      faults: this.faults,
      streams: this.#streams,
      clients: this.#clients,
      midOfToken,
      changed: (call) => {
        if (this.news.hasListeners) this.news.tell({ kind: 'call', call: seenOf(call) });
      },
      underWay: (steps) => this.#running.run(steps),
      learn: (mid) => this.accounts.learn(mid),
      useridOf: (mid) => this.accounts.useridOf(mid),
      midOf: (id) => this.accounts.midOf(id),
    });
  }

  async #appended({ accountId, revision }: Emitted): Promise<void> {
    if (!this.news.hasListeners || !this.#server) return;
    const mid = await this.accounts.midOf(accountId);
    if (mid === undefined) return;
    const [operation] = await this.operationsOf(mid, revision - 1, 1);
    if (operation) this.news.tell({ kind: 'operation', operation });
  }

  clock(): DevClock {
    const epochMs = this.#clock.now();
    return { now: new Date(epochMs).toISOString(), mode: this.#options.clock, epochMs };
  }

  async advance(by: Span): Promise<void> {
    if (!this.#virtual) throw new RealClock();
    await this.#virtual.advance(millisOf(by));
    this.news.tell({ kind: 'clock', clock: this.clock() });
  }

  async trigger(trigger: Trigger): Promise<number> {
    const { id, mid } = await this.accounts.find(trigger.account);
    const streams = this.#streams.of(mid);
    if (trigger.event === 'expireTokens') {
      const now = this.#clock.now();
      await this.server.store.transact((tx) => tx.run(expireTokens, now, id, now));
      this.server.slices.sessions.forget(id);
    } else if (trigger.event === 'endSessions') {
      await this.server.slices.sessions.revokeAll(id, 'ended by the workbench');
    } else if (trigger.event === 'message') {
      await this.accounts.say(trigger.from ?? trigger.account, trigger.account, trigger.text ?? '');
    } else {
      const { revision } = await this.server.store.read((reader) => this.server.log.head(reader, id));
      triggerEvent(trigger.event, streams, { revision, ...(trigger.code !== undefined && { code: trigger.code }) });
    }
    return streams.length;
  }

  async operationsOf(account: string, after: number, limit: number): Promise<SeenOperation[]> {
    const { id, mid, userid } = await this.accounts.find(account);
    const { store, log } = this.server;
    const found = await store.read((reader) => log.readAfter(reader, id, after, limit));
    return found.map((operation) => shown(operation, mid, userid));
  }

  async save(name: string): Promise<Universe> {
    const { kind } = this.server.store;
    if (kind !== 'sqlite') throw new NotEmbedded(kind);
    // After a restore, ids begin after the newest stored id. If the clock is later than that id, the saved server and
    // the restored one create the same ids.
    this.#virtual?.move(BEFORE_SAVE_MS);
    return this.universes.save(name, {
      clockMs: this.#clock.now(),
      drawn: this.#random?.drawn ?? 0,
      accounts: this.accounts.list(),
    });
  }

  async reset(name: string, except?: Socket): Promise<Universe> {
    const universe = this.universes.find(name);
    this.#held.hold(except);
    await this.#stop({ keepsHttp: true });
    const state = this.universes.restore(name, this.config.dataDir);
    this.#virtual?.move(state.clockMs - this.#virtual.now());
    this.faults.clear();
    this.calls.clear();
    await this.start(this.#port, state);
    this.#held.release();
    this.news.tell({ kind: 'reset' });
    return universe;
  }

  async close(): Promise<void> {
    if (this.#server) await this.#stop({});
  }

  /** Stops the server. The server waits for timers while it stops, so virtual time passes until it has stopped. */
  async #stop(options: { readonly keepsHttp?: boolean }): Promise<void> {
    const { server } = this;
    this.#server = undefined;
    let stopped = false;
    const stopping = server.close(options).finally(() => {
      stopped = true;
    });
    while (this.#virtual && !stopped) {
      await turn();
      if (!this.#running.busy()) this.#virtual.step(Number.POSITIVE_INFINITY);
    }
    await keptAlive(stopping);
  }
}

/** Error for saving a state of a server whose database is not in its data folder. */
export class NotEmbedded extends Error {
  override name = 'NotEmbedded';
  constructor(kind: string) {
    super(
      `states can be saved of the embedded database only, and this server uses ${kind}: start without database-url`,
    );
  }
}

/** Error for moving the clock of a server that uses the clock of the machine. */
export class RealClock extends Error {
  override name = 'RealClock';
  constructor() {
    super('the clock is that of the machine, which nobody can move: start the server with a virtual clock');
  }
}

/**
 * Returns the mid inside a token. The token's signature is not checked, because the mid is only used to show and select
 * calls.
 */
function midOfToken(token: string): string | undefined {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { aid?: unknown };
    return typeof claims.aid === 'string' ? claims.aid : undefined;
  } catch {
    return undefined;
  }
}

const typeNames = new Map<number, string>(Object.entries(operationTypes).map(([name, number]) => [number, name]));
/** Returns the name of an operation type. */
export const typeNameOf = (type: number): OperationTypeName | undefined =>
  typeNames.get(type) as OperationTypeName | undefined;

function shown(logged: LoggedOperation, mid: string, userid: string | null): SeenOperation {
  const operation = JSON.parse(operationJson(logged)) as Operation;
  return {
    ...{ mid, userid, operation },
    revision: logged.revision,
    type: typeNameOf(logged.type) ?? String(logged.type),
    time: new Date(logged.createdTime).toISOString(),
  };
}
