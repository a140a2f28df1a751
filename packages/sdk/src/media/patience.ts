// Decides how long a transfer is repeated after failures. The transfer ends about half a minute after the last
// progress.
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';

export interface Retry {
  /** The reason why the last attempt failed. */
  readonly reason: string;
  readonly retryInMs: number;
}

export interface PatienceOptions {
  /** Ends the transfer. Bytes that were already transferred stay. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each new attempt. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

const BACKOFF: Backoff = { initialMs: 500, maxMs: 10_000, multiplier: 2, jitter: 0.5 };
/**
 * Maximum number of consecutive attempts without progress. With the pauses, they take a little more than half a minute.
 */
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

  /** Records progress. From then on, failures are counted from 0 again. */
  progressed(): void {
    this.#failures = 0;
  }

  /**
   * Waits before the next attempt. Throws the error if there were enough attempts, or if another attempt would be
   * useless. If `useful` is true, another attempt never counts as useless.
   */
  async after(error: unknown, useful = false): Promise<void> {
    this.signal?.throwIfAborted();
    if (!(useful || isPassing(error)) || !(error instanceof Error) || this.#failures + 1 >= TRIES) throw error;
    const asked = error instanceof GatewayError ? error.retryAfterMs : undefined;
    const retryInMs = asked ?? backoffDelay(BACKOFF, this.#failures, this.#ports.random);
    this.#failures += 1;
    this.#options.onRetry?.({ reason: error.message, retryInMs });
    await pause(this.#ports.timers, retryInMs, this.signal);
    this.signal?.throwIfAborted();
  }

  /** Repeats the work until it succeeds. The work must be safe to repeat. */
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
