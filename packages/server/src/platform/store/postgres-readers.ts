// The connections to PostgreSQL that only read.
import type { PostgresConnection } from './postgres-connection.ts';
import type { PostgresConnections } from './postgres-connections.ts';
import { unavailableIfLost } from './postgres-errors.ts';
import { readerOn } from './postgres-tx.ts';
import { type Reader, StoreUnavailable } from './store.ts';

const READERS = 3;

export class PostgresReaders {
  readonly #connections: PostgresConnections;
  readonly #slots: (Promise<PostgresConnection> | undefined)[] = Array.from({ length: READERS });
  #next = 0;

  constructor(connections: PostgresConnections) {
    this.#connections = connections;
  }

  async read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const client = await this.take();
    return work(readerOn(client)).catch((error: unknown) => {
      throw unavailableIfLost(error, this.#connections.closed);
    });
  }

  /** Returns one of the connections. Several callers may read on the same connection. */
  take(): Promise<PostgresConnection> {
    const slot = this.#next++ % READERS;
    this.#slots[slot] ??= this.#connect(() => {
      this.#slots[slot] = undefined;
    });
    return this.#slots[slot];
  }

  async #connect(lost: () => void): Promise<PostgresConnection> {
    try {
      const client = await this.#connections.connect();
      client.once('error', lost).once('end', lost);
      return client;
    } catch (error) {
      lost();
      throw new StoreUnavailable(`${this.#connections.place} does not answer`, { cause: error });
    }
  }
}
