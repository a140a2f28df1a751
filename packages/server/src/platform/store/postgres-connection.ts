// A connection to PostgreSQL that notices when answers stop arriving, for example because a pooler hangs. PostgreSQL
// itself ends a statement that takes too long, but the message about this end may be lost on the way too. It also
// tells whether PostgreSQL accepts writes, because after a failover the address may lead to the old primary.
import pg from 'pg';
import { StoreUnavailable } from './store.ts';

/** The parameters whose value "on" means that PostgreSQL refuses writes. It reports them without being asked. */
const READ_ONLY = ['in_hot_standby', 'default_transaction_read_only'];

export class PostgresConnection extends pg.Client {
  /** The number of answers that PostgreSQL has not sent yet. */
  #owed = 0;
  #rounds = 0;
  readonly #readOnly = new Set<string>();

  /** @param onAnswer called whenever PostgreSQL answers; an error is an answer too */
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
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (!READ_ONLY.includes(parameterName)) return;
      if (parameterValue === 'on') this.#readOnly.add(parameterName);
      else this.#readOnly.delete(parameterName);
    });
    // `query` is assigned here, because a method `query` would have to repeat all of pg's signatures.
    this.query = ((...args: unknown[]) => {
      this.#owed += 1;
      const answer = send.apply(this, args);
      answer.then(answered, failed);
      return answer;
    }) as pg.Client['query'];
  }

  /** True if PostgreSQL says that it accepts no writes on this connection. */
  get readOnly(): boolean {
    return this.#readOnly.size > 0;
  }

  /** The number of consecutive calls of `look` during which an answer was due and none arrived. */
  get silentRounds(): number {
    return this.#rounds;
  }

  /**
   * Checks for silence. Called at regular intervals. Silence is counted in calls instead of time, because this process
   * may have paused. After a pause, there may be answers that have arrived but were not read yet.
   */
  look(): void {
    this.#rounds = this.#owed > 0 ? this.#rounds + 1 : 0;
  }

  /** Ends the connection after its pending statements. The end counts as an answer that PostgreSQL has not sent yet. */
  leave(): Promise<void> {
    this.#owed += 1;
    return this.end();
  }

  /** Closes the socket. Every statement without an answer fails with `reason`, and late answers are dropped. */
  giveUp(reason: string): void {
    this.connection.stream.destroy(new StoreUnavailable(reason));
  }
}
