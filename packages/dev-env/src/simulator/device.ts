// A device of a simulation: a client of the SDK, with a local state that survives a crash of the device.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Client,
  type ClientStore,
  createClient,
  memoryStore,
  type Rows,
  type Session,
  type StateStore,
} from '@sealpost/sdk';
import { seededRandom } from '@sealpost/testing/seeded-random';
import type { Network } from './network.ts';
import { present } from './present.ts';
import type { Process, Schedule } from './schedule.ts';

/** Error of a call whose device crashed during the call. */
export class DeviceCrashed extends Error {
  override name = 'DeviceCrashed';
}

export interface DeviceDeps {
  readonly seed: number;
  readonly schedule: Schedule;
  readonly network: Network;
  readonly onError: (error: unknown) => void;
  /** Called when the client's session ended. */
  readonly onEnded: (reason: unknown) => void;
}

export class Device {
  readonly account: number;
  readonly mid: string;
  readonly #deps: DeviceDeps;
  readonly #store: ClientStore;
  readonly #rows = new Map<string, Awaited<ReturnType<Rows['range']>>[number]['value']>();
  process: Process;
  #client: Client | undefined;
  #starts = 0;
  #crashed = Promise.withResolvers<never>();

  constructor(account: number, session: Session, deps: DeviceDeps) {
    this.account = account;
    this.mid = session.mid;
    this.#deps = deps;
    this.#store = { ...memoryStore(), state: this.#durableState() };
    void this.#store.session.save(session);
    this.process = { name: `client ${account}.0`, alive: false };
  }

  get client(): Client {
    return present(this.#client, 'client');
  }

  async start(): Promise<void> {
    const { seed, schedule, network, onError, onEnded } = this.#deps;
    this.process = { name: `client ${this.account}.${++this.#starts}`, alive: true };
    this.#crashed = Promise.withResolvers();
    this.#crashed.promise.catch(() => {});
    this.#client = createClient({
      url: 'http://gateway.test',
      fetch: network.fetchOf(this.process, this.account),
      clock: schedule.clock,
      timers: schedule.timersOf(this.process),
      random: seededRandom(`${seed} ${this.process.name}`),
      store: this.#store,
      onListenerError: onError,
    });
    this.#client.rpc.onSession((event) => {
      if (event.kind === 'ended') onEnded(event.reason);
    });
    await this.#client.open();
  }

  /** Drops everything that the device has not stored. */
  crash(): void {
    this.process.alive = false;
    this.#crashed.reject(new DeviceCrashed());
  }

  /** @throws DeviceCrashed if the device crashes before the work ends */
  orCrash<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#crashed.promise]);
  }

  /** Returns a store that holds each commit of a living device at once, and nothing of a crashed one. */
  #durableState(): StateStore {
    const rows = this.#rows;
    const keysFrom = (from: string, below: string) =>
      [...rows.keys()].filter((key) => key >= from && key < below).sort();
    return {
      lasting: false,
      open: async () => {
        const { process } = this;
        return {
          get: async (key) => rows.get(key),
          range: async (from, below, { limit = Number.POSITIVE_INFINITY, reverse = false } = {}) => {
            const keys = keysFrom(from, below);
            const chosen = reverse ? keys.reverse().slice(0, limit) : keys.slice(0, limit);
            return chosen.map((key) => ({ key, value: rows.get(key) ?? '' }));
          },
          commit: async (writes) => {
            if (!process.alive) throw new DeviceCrashed();
            for (const { key, value } of writes) {
              if (value === undefined) rows.delete(key);
              else rows.set(key, value);
            }
          },
          close: async () => {},
        };
      },
      remove: async () => rows.clear(),
    };
  }
}

/** The command for which a client makes a call. */
export const commandOfCall = new AsyncLocalStorage<number>();
