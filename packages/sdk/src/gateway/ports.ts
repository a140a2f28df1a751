// The ports of the SDK: fetch, clock, timers and randomness. Tests pass their own; everybody else gets `systemPorts`.
import { drawFraction, type Ports, type Random, type Timer, type Timers } from '@sealpost/contract/ports';
import { randomBytes } from '@sealpost/crypto';

export interface ClientPorts extends Ports {
  readonly fetch: typeof fetch;
  /** Gets the errors that listeners throw, because no caller can catch them. It must not throw itself. */
  readonly onListenerError: (error: unknown) => void;
}

/** The longest delay of setTimeout, in milliseconds; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemPorts: ClientPorts = {
  // The global `fetch` is looked up at each call, so that a page or a test may replace it.
  fetch: (input, init) => globalThis.fetch(input, init),
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  random: { bytes: randomBytes },
  onListenerError: (error) => console.error('A listener failed:', error),
  timers: {
    after: (ms, run, options) => timerOf(setTimeout(run, delayOf(ms)), options?.background),
    every: (ms, run, options) => timerOf(setInterval(run, delayOf(ms)), options?.background),
  },
};

/** Returns the given ports. A port that is not given is that of the system. */
export const withSystemPorts = (given: Partial<ClientPorts>): ClientPorts => ({
  fetch: given.fetch ?? systemPorts.fetch,
  clock: given.clock ?? systemPorts.clock,
  timers: given.timers ?? systemPorts.timers,
  random: given.random ?? systemPorts.random,
  onListenerError: given.onListenerError ?? systemPorts.onListenerError,
});

const delayOf = (ms: number): number => Math.min(Math.max(ms, 0), LONGEST_TIMER_MS);

/**
 * Wraps the handle of a timer. In Node, a background timer must not keep the process alive. In browsers, the handle is
 * a number, and no timer keeps the page alive.
 */
function timerOf(handle: ReturnType<typeof setTimeout>, background = false): Timer {
  if (background && typeof handle === 'object') handle.unref();
  return { cancel: () => clearTimeout(handle) };
}

/** Returns a signal that is aborted when one of the two is. */
export const eitherOf = (signal: AbortSignal, given: AbortSignal | null | undefined): AbortSignal =>
  given ? AbortSignal.any([given, signal]) : signal;

/** Resolves after `ms` milliseconds, or at once when the signal aborts. */
export function pause(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      timer.cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = timers.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}

export interface Backoff {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly multiplier: number;
  /** The largest random change of the delay, as a share of it: 0.5 means 50% to 150% of the delay. */
  readonly jitter: number;
}

/** Returns the delay in milliseconds after failed attempt number `attempt`, counted from 0. */
export function backoffDelay(policy: Backoff, attempt: number, random: Random): number {
  const delay = Math.min(policy.initialMs * policy.multiplier ** attempt, policy.maxMs);
  return Math.round(delay * (1 + policy.jitter * (2 * drawFraction(random) - 1)));
}
