// A connection to PostgreSQL that notices its own silence. PostgreSQL ends a statement that takes too long. But nobody
// hears of that when answers no longer arrive, for example behind a hung pooler.
import pg from 'pg';
import { StoreUnavailable } from './store.ts';

export class PostgresConnection extends pg.Client {
  /** Answers that are still to come. */
  #owed = 0;
  #rounds = 0;

  /** @param onAnswer called whenever PostgreSQL answers, be it with an error */
  constructor(config: pg.ClientConfig, onAnswer: () => void) {
    super(config);
    const send = super.query as (...args: unknown[]) => Promise<unknown>;
    const settled = (): void => {
      this.#owed -= 1;
      this.#rounds = 0;
    };
    const answered = (): void => {
      settled();
      onAnswer();
    };
    const failed = (error: unknown): void => (error instanceof pg.DatabaseError ? answered() : settled());
    // This is not a method, which would have to repeat all of pg's signatures.
    this.query = ((...args: unknown[]) => {
      this.#owed += 1;
      const answer = send.apply(this, args);
      answer.then(answered, failed);
      return answer;
    }) as pg.Client['query'];
  }

  /** The number of looks in a row at which an answer was owed and none had come. */
  get silentRounds(): number {
    return this.#rounds;
  }

  /**
   * To be called regularly. It counts looks and not time: after a pause of this process the answer may already be here.
   */
  look(): void {
    this.#rounds = this.#owed > 0 ? this.#rounds + 1 : 0;
  }

  /** Ends the connection in order. PostgreSQL owes the end as it owes an answer. */
  leave(): Promise<void> {
    this.#owed += 1;
    return this.end();
  }

  /** Closes the socket: everything that is owed fails for this reason, and late answers are dropped. */
  giveUp(reason: string): void {
    this.connection.stream.destroy(new StoreUnavailable(reason));
  }
}
