// The spans that wait for the collector. The queue is bounded, and no call ever waits for it.
import type { Clock, Timer, Timers } from '@sealpost/contract/ports';
import type { Logger } from '../kernel/logger.ts';
import type { SpanOutcome } from './traces.ts';

export interface SpanQueueDeps<S> {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly count: (outcome: SpanOutcome, spans: number) => void;
  /** Sends spans to the collector. Returns the error if the collector did not accept the spans. */
  readonly send: (spans: S[]) => Promise<Error | undefined>;
}

/** Maximum number of finished spans that may wait. Spans of running calls do not count. */
export const MOST_WAITING = 8_192;
/**
 * Maximum number of spans in one request to the collector. With more, calls would have to wait while the JSON of the
 * spans is made.
 */
const AT_ONCE = 256;
const ROUND_MS = 1_000;
/** Milliseconds between two log lines about a collector that fails. */
const SILENCE_MS = 60_000;
/** Milliseconds that a stopping server waits for the collector. */
const CLOSE_MS = 2_000;

export class SpanQueue<S> {
  readonly #deps: SpanQueueDeps<S>;
  readonly #round: Timer;
  #waiting: S[] = [];
  #sending: Promise<void> | undefined;
  #isDue = false;
  #isClosed = false;
  #lastLine: number | undefined;

  constructor(deps: SpanQueueDeps<S>) {
    this.#deps = deps;
    this.#round = deps.timers.every(ROUND_MS, () => this.#start(), { background: true, coarse: () => true });
  }

  add(span: S): void {
    if (this.#isClosed || this.#waiting.length >= MOST_WAITING) {
      this.#deps.count('dropped', 1);
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length < AT_ONCE || this.#isDue || this.#sending) return;
    // The spans are sent a little later, so that the call that ends with this span does not wait until their JSON is
    // made.
    this.#isDue = true;
    this.#deps.timers.after(0, () => this.#start(), { background: true });
  }

  /** Sends the remaining spans, and waits a short time for the collector. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#round.cancel();
    this.#start();
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = this.#deps.timers.after(CLOSE_MS, resolve);
    await Promise.race([this.#sending, promise]);
    late.cancel();
    this.#deps.count('dropped', this.#waiting.length);
    this.#waiting = [];
  }

  #start(): void {
    this.#isDue = false;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /**
   * Sends one request after another, so that a slow collector never gets a second request before it has answered the
   * first.
   */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, AT_ONCE);
      const error = await this.#deps.send(spans);
      this.#deps.count(error ? 'failed' : 'exported', spans.length);
      if (error) this.#tell(error, spans.length);
    }
  }

  #tell({ message }: Error, spans: number): void {
    const now = this.#deps.clock.monotonic();
    if (this.#lastLine !== undefined && now - this.#lastLine < SILENCE_MS) return;
    this.#lastLine = now;
    this.#deps.logger.warn({ cause: message, spans }, 'the collector of traces did not take spans');
  }
}
