// The object storage of a simulation. It is a service of its own, which all gateways share and which loses nothing. What
// a gateway asks of it takes time, and the gateway may crash meanwhile.
import { createHash } from 'node:crypto';
import { type ByteRange, ObjectMissing, type ObjectState, type Objects, type Source } from '@sealpost/server/internal';

interface Stored {
  bytes: Buffer;
  changedTime: number;
}

/** Makes a call of a gateway. It never answers a gateway that has crashed. */
export type Around = <T>(run: () => Promise<T>) => Promise<T>;

export class ObjectPlace {
  readonly #now: () => number;
  readonly #states: Record<ObjectState, Map<string, Stored>> = {
    unpublished: new Map(),
    published: new Map(),
    quarantined: new Map(),
  };
  /** The gateways that append to an object now, by key. */
  readonly #writers = new Map<string, { readonly alive: boolean }>();
  readonly #onTwoWriters: (key: string) => void;

  /** @param onTwoWriters called when two living gateways append to one object at once */
  constructor(now: () => number, onTwoWriters: (key: string) => void) {
    this.#now = now;
    this.#onTwoWriters = onTwoWriters;
  }

  /** Returns the SHA-256 of a published object in hex; undefined if there is none. */
  hashOf(key: string): string | undefined {
    const stored = this.#states.published.get(key);
    return stored && createHash('sha256').update(stored.bytes).digest('hex');
  }

  keysIn(state: ObjectState): readonly string[] {
    return [...this.#states[state].keys()].sort();
  }

  /** Returns the place as a gateway sees it. */
  seenBy(gateway: { readonly alive: boolean }, around: Around): Objects {
    const call =
      <A extends unknown[], T>(run: (...args: A) => T) =>
      (...args: A): Promise<T> =>
        around(async () => run(...args));
    return {
      kind: 's3',
      location: 'the simulation',
      append: (key, offset, source) => this.#append(key, offset, source, { gateway, around }),
      publish: call((key) => {
        if (!this.#states.published.has(key) && !this.#move(key, 'unpublished', 'published'))
          throw new ObjectMissing(`no unpublished object ${key}`);
      }),
      read: call((key, range) => this.#read(key, range)),
      remove: call((key) => {
        for (const objects of Object.values(this.#states)) objects.delete(key);
      }),
      quarantine: call((key) => void this.#move(key, 'published', 'quarantined')),
      bringBack: call((key) => this.#move(key, 'quarantined', 'published') || this.#states.published.has(key)),
      owner: async () => undefined,
      claim: async () => {},
      page: call((state, after, limit) =>
        this.keysIn(state)
          .filter((key) => key > after)
          .slice(0, limit)
          .map((key) => ({ key, changedTime: this.#states[state].get(key)?.changedTime ?? 0 })),
      ),
      check: async () => {},
      close: async () => {},
    };
  }

  #move(key: string, from: ObjectState, to: ObjectState): boolean {
    const stored = this.#states[from].get(key);
    if (!stored) return false;
    this.#states[from].delete(key);
    this.#states[to].set(key, { ...stored, changedTime: this.#now() });
    return true;
  }

  /** Each batch is stored when it comes. So a crash leaves the first part of an append. */
  async #append(
    key: string,
    offset: number,
    source: Source,
    { gateway, around }: { readonly gateway: { readonly alive: boolean }; readonly around: Around },
  ): Promise<number> {
    const { unpublished } = this.#states;
    const other = this.#writers.get(key);
    if (other?.alive) this.#onTwoWriters(key);
    this.#writers.set(key, gateway);
    try {
      const found = unpublished.get(key)?.bytes ?? Buffer.alloc(0);
      if (found.length < offset) throw new ObjectMissing(`the object ${key} has ${found.length} bytes, not ${offset}`);
      let bytes = found.subarray(0, offset);
      const store = async (): Promise<void> => void unpublished.set(key, { bytes, changedTime: this.#now() });
      await around(store);
      for await (const batch of source) {
        bytes = Buffer.concat([bytes, ...batch]);
        await around(store);
      }
      return bytes.length;
    } finally {
      if (this.#writers.get(key) === gateway) this.#writers.delete(key);
    }
  }

  #read(key: string, range?: ByteRange): AsyncIterable<Buffer> {
    const stored = this.#states.published.get(key);
    if (!stored) throw new ObjectMissing(`no object ${key}`);
    const bytes = range ? stored.bytes.subarray(range.start, range.end + 1) : stored.bytes;
    return (async function* () {
      yield Buffer.from(bytes);
    })();
  }
}
