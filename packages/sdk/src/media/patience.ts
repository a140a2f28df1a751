// How long a transfer goes on trying: as long as it gets anywhere, and a while longer.
import { GatewayError, NetworkError } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';

export interface Retry {
  /** Why the last try failed. */
  readonly reason: string;
  readonly retryInMs: number;
}

export interface PatienceOptions {
  /** Ends the transfer; what is done so far stays. */
  readonly signal?: AbortSignal | undefined;
  /** Told before each new try. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

const BACKOFF: Backoff = { initialMs: 500, maxMs: 10_000, multiplier: 2, jitter: 0.5 };
/** Without a byte of progress in between: somewhat more than half a minute. */
const TRIES = 8;

export class Patience {
  #failures = 0;
  readonly #ports: ClientPorts;
  readonly #options: PatienceOptions;

  constructor(ports: ClientPorts, options: PatienceOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** Something got through. */
  progressed(): void {
    this.#failures = 0;
  }

  /** Waits before the next try; throws the error if another try is of no use, unless it is said to be, or there were enough. */
  async after(error: unknown, useful = false): Promise<void> {
    this.signal?.throwIfAborted();
    if (!(useful || mayRepeat(error)) || !(error instanceof Error) || this.#failures + 1 >= TRIES) throw error;
    const asked = error instanceof GatewayError ? error.retryAfterMs : undefined;
    const retryInMs = asked ?? backoffDelay(BACKOFF, this.#failures, this.#ports.random);
    this.#failures += 1;
    this.#options.onRetry?.({ reason: error.message, retryInMs });
    await pause(this.#ports.timers, retryInMs, this.signal);
    this.signal?.throwIfAborted();
  }

  /** The work, again until it is done. Only for work that may be done twice. */
  async until<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        await this.after(error);
      }
    }
  }
}

const mayRepeat = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof GatewayError && error.retry);
