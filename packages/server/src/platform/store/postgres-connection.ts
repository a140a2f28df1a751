// A connection to PostgreSQL that notices its own silence. The timeouts of PostgreSQL end a statement that takes too
// long, but nobody hears of it when answers do not arrive any more: behind a hung pooler, or a NAT that forgot.
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
    // Not as a method, which would have to repeat all of pg's signatures.
    this.query = ((...args: unknown[]) => {
      this.#owed += 1;
      const answer = send.apply(this, args);
      answer.then(answered, failed);
      return answer;
    }) as pg.Client['query'];
  }

  /** How many looks in a row found that an answer is owed and that none came. */
  get silentRounds(): number {
    return this.#rounds;
  }

  /**
   * To be called regularly. Counted are looks and not time: after a pause of this process answers may be waiting here.
   */
  look(): void {
    this.#rounds = this.#owed > 0 ? this.#rounds + 1 : 0;
  }

  /** Ends the connection in order; the end is owed as an answer is. */
  leave(): Promise<void> {
    this.#owed += 1;
    return this.end();
  }

  /** Closes the socket: whatever is owed fails for this reason, and a late answer finds nobody. */
  giveUp(reason: string): void {
    this.connection.stream.destroy(new StoreUnavailable(reason));
  }
}
