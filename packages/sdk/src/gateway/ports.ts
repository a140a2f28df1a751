// What the SDK takes from its surroundings. Tests hand in their own; everybody else gets these.

/** Epoch milliseconds. */
export type Clock = () => number;
/** A number in [0, 1). */
export type Random = () => number;

export interface Timers {
  /** Calls back once after `ms`; answers the function that cancels it. `background` must not keep a process alive. */
  after(ms: number, callback: () => void, options?: { background?: boolean }): () => void;
}

export interface Ports {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
}

/** The longest delay that setTimeout takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const realPorts: Ports = {
  // Looked up per call, so that a page or a test may replace the global one.
  fetch: (input, init) => globalThis.fetch(input, init),
  clock: () => Date.now(),
  random: () => Math.random(),
  timers: {
    after(ms, callback, options) {
      const timer: unknown = setTimeout(callback, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
      if (options?.background) (timer as { unref?: () => void }).unref?.();
      return () => clearTimeout(timer as number);
    },
  },
};

/** Resolves after `ms`, or at once when the signal aborts. */
export function pause(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = timers.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}

export interface Backoff {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly multiplier: number;
  /** Share of the delay by which it may vary to either side. */
  readonly jitter: number;
}

/** The delay before try number `attempt`, counted from 0. */
export function backoffDelay(policy: Backoff, attempt: number, random: Random): number {
  const delay = Math.min(policy.initialMs * policy.multiplier ** attempt, policy.maxMs);
  return Math.round(delay * (1 + policy.jitter * (2 * random() - 1)));
}
