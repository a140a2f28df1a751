// One gateway of a simulation: the real server code on a store, a bus, timers and a network that the simulation controls.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type Bus,
  type Config,
  createLogger,
  loadConfig,
  type Objects,
  type ServerPorts,
  type SharedGateway,
  type Store,
  startSharedGateway,
  systemPorts,
  type Tx,
  type WakeKind,
} from '@sealpost/server/internal';
import { seededRandom } from '@sealpost/testing/seeded-random';
import type { Random } from '../workload/random.ts';
import type { Faults } from './faults.ts';
import type { Call, Target } from './link.ts';
import type { ObjectPlace } from './object-place.ts';
import { present } from './present.ts';
import { never, type Schedule } from './schedule.ts';

const MOST_STORE_DELAY_MS = 9;
const MOST_BUS_DELAY_MS = 20;

/** Matches the statement by which a call remembers its first result. Other commits of a call are not its effect. */
const CHANGE = /insert into request\b/;

/** What all gateways of a simulation share. */
export interface Shared {
  readonly seed: number;
  readonly schedule: Schedule;
  readonly random: Random;
  readonly faults: Faults;
  readonly folder: string;
  readonly store: () => Store;
  readonly objects: ObjectPlace;
  readonly gateways: () => readonly SimulatedGateway[];
  /** Called when a transaction of a call is durable. The calls come in the order of their commits. */
  readonly onCommit: (call: Call, by: { readonly gateway: SimulatedGateway; readonly store: Store }) => void;
  /** Called when a gateway is not told of news of an account. */
  readonly onLostWake: (gateway: SimulatedGateway, accountIds: readonly number[]) => void;
  readonly crash: (gateway: SimulatedGateway, fault: 'gateway crash' | 'gateway crash inside a transaction') => void;
}

export const settings: Readonly<Record<string, string>> = {
  'log-level': 'silent',
  'login-confirmation': 'never',
  'web-pages': 'none',
  'public-url': 'http://gateway.test',
  ...Object.fromEntries(
    ['send', 'write', 'read', 'lookup', 'backup', 'log', 'key', 'login'].map((name) => [
      `rate-${name}`,
      '1000000+100000',
    ]),
  ),
};

/** Milliseconds after which clients renew tokens, and after which tokens expire. The settings count in hours. */
const [RENEWAL_MS, TOKEN_MS] = [3_000, 16_000];

const withQuickTokens = (config: Config): Config => {
  const { limits } = config;
  const accessTokenMs = { ...limits.accessTokenMs, value: TOKEN_MS };
  const renewalDueMs = { ...limits.renewalDueMs, value: RENEWAL_MS };
  return { ...config, limits: { ...limits, accessTokenMs, renewalDueMs } };
};

/** Password hashes that cost nothing, because hashing in threads would make the order of events depend on the machine. */
export const instantCrypto: ServerPorts['slowCrypto'] = {
  ...systemPorts.slowCrypto,
  hashPassword: async (password) => `hash of ${password}`,
};

/** Error inside a transaction of a gateway that has crashed. The store then rolls the transaction back. */
class Crashed extends Error {
  override name = 'Crashed';
}

export class SimulatedGateway implements Target {
  readonly name: string;
  readonly number: number;
  alive = true;
  /** False while the gateway starts. Nothing is delayed then, because the start waits for nothing but the store. */
  ready = false;
  readonly #shared: Shared;
  readonly #calls = new AsyncLocalStorage<Call>();
  readonly #wakes: ((kind: WakeKind, accountId: number) => void)[] = [];
  #http: Server | undefined;
  #gateway: SharedGateway | undefined;

  constructor(shared: Shared, number: number, start: number) {
    this.#shared = shared;
    this.number = number;
    this.name = `gateway ${number}.${start}`;
  }

  get slices() {
    return present(this.#gateway, 'gateway').slices;
  }

  async start(newest: number): Promise<void> {
    const { seed, schedule, folder } = this.#shared;
    const ports: Partial<ServerPorts> = {
      clock: schedule.clock,
      timers: schedule.timersOf(this),
      random: seededRandom(`${seed} ${this.name}`),
      slowCrypto: instantCrypto,
      crashPoint: () => {},
    };
    const config = withQuickTokens(
      loadConfig('serve', { flags: { ...settings, 'data-dir': folder }, env: {}, file: null }),
    );
    const node = { number: this.number, newest };
    const shared = { store: this.#store(), bus: this.#bus(), node: () => node, objects: this.#objects() };
    this.#gateway = await startSharedGateway(config, shared, {
      ports,
      logger: createLogger('silent', schedule.timersOf(this)),
    });
    const { serve } = this.#gateway;
    this.#http = createServer({ requireHostHeader: false }, (request, response) => {
      const { call } = request.socket as unknown as { call: Call };
      this.#calls.run(call, () => serve(request, response));
    });
    this.ready = true;
  }

  connect(socket: Duplex, call: Call): void {
    this.#http?.emit('connection', Object.assign(socket, { call }));
  }

  /** Delivers a wake-up of another gateway. */
  wake(kind: WakeKind, accountIds: readonly number[]): void {
    for (const id of accountIds) for (const listener of this.#wakes) listener(kind, id);
  }

  #bus(): Bus {
    const { schedule, random, faults, gateways, onLostWake } = this.#shared;
    return {
      kind: 'ipc',
      location: 'the simulation',
      wake: (kind, accountIds) => {
        if (!this.alive) return;
        for (const other of gateways()) {
          if (other === this) continue;
          if (faults.draw('wake-up lost')) {
            faults.happened('wake-up lost');
            onLostWake(other, accountIds);
          } else schedule.after(random.below(MOST_BUS_DELAY_MS), other, () => other.wake(kind, accountIds));
        }
      },
      onWake: (listener) => void this.#wakes.push(listener),
      check: async () => {},
      close: async () => {},
    };
  }

  /** Waits at a moment when this gateway is in no transaction, so that other events may come in between. */
  async #pause(): Promise<void> {
    const { schedule, random, faults, crash } = this.#shared;
    if (!this.alive) return never();
    if (!this.ready) return;
    if (faults.draw('gateway crash')) {
      crash(this, 'gateway crash');
      return never();
    }
    if (random.oneIn(2)) await schedule.sleep(random.below(MOST_STORE_DELAY_MS), this);
  }

  /** Returns a transaction that ends when this gateway crashes. */
  #guarded(tx: Tx, onChange: () => void = () => {}): Tx {
    const step = <T>(run: () => Promise<T>): Promise<T> => {
      const { faults, crash } = this.#shared;
      if (this.ready && this.alive && faults.draw('gateway crash inside a transaction'))
        crash(this, 'gateway crash inside a transaction');
      if (!this.alive) throw new Crashed();
      return run();
    };
    return {
      one: async (query, ...params) => step(() => tx.one(query, ...params)),
      all: async (query, ...params) => step(() => tx.all(query, ...params)),
      each: async (query, rows) => step(() => tx.each(query, rows)),
      run: async (query, ...params) => {
        if (CHANGE.test(query.sqlite)) onChange();
        return step(() => tx.run(query, ...params));
      },
      onCommit: (hook) => tx.onCommit(() => this.alive && hook()),
    };
  }

  /** Makes a call to the store or to object storage. It never ends for a gateway that has crashed. */
  async #around<T>(run: () => Promise<T>): Promise<T> {
    const { schedule } = this.#shared;
    await this.#pause();
    schedule.activity += 1;
    schedule.running += 1;
    try {
      const result = await run().finally(() => {
        schedule.running -= 1;
      });
      await this.#pause();
      return result;
    } catch (error) {
      if (!this.alive) return never();
      throw error;
    }
  }

  #objects(): Objects {
    return this.#shared.objects.seenBy(this, (run) => this.#around(run));
  }

  /** Returns the shared store as this gateway sees it. */
  #store(): Store {
    const { store, onCommit } = this.#shared;
    const shared = store();
    const around = <T>(run: () => Promise<T>): Promise<T> => this.#around(run);
    const committed = (call: Call | undefined): void => {
      if (call) onCommit(call, { gateway: this, store: shared });
    };
    return {
      // The gateways share the store like a PostgreSQL database. With this kind, they poll for what others wrote.
      kind: 'postgres',
      location: shared.location,
      read: (work) => around(() => shared.read(work)),
      transact: (work) => {
        const call = this.#calls.getStore();
        return around(() =>
          shared.transact(async (tx) => {
            let changes = false;
            const guarded = this.#guarded(tx, () => {
              changes = true;
            });
            const result = await work(guarded);
            if (!this.alive) throw new Crashed();
            tx.onCommit(() => changes && committed(call));
            return result;
          }),
        );
      },
      grouped: <I, O>(
        work: (tx: Tx, items: readonly I[]) => Promise<readonly (O | Error)[]>,
        keysOf: (item: I) => readonly string[],
      ) => {
        const submit = shared.grouped<{ item: I; call: Call | undefined }, O>(
          async (tx, entries) => {
            const outcomes = await work(
              this.#guarded(tx),
              entries.map(({ item }) => item),
            );
            if (!this.alive) throw new Crashed();
            entries.forEach(({ call }, i) => {
              if (!(outcomes[i] instanceof Error)) tx.onCommit(() => committed(call));
            });
            return outcomes;
          },
          ({ item }) => keysOf(item),
        );
        return (item: I): Promise<O> => {
          const call = this.#calls.getStore();
          return around(() => submit({ item, call }));
        };
      },
      check: () => around(() => shared.check()),
      close: async () => {},
    };
  }
}
