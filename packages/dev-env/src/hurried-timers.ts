// Timers for a client whose pauses between attempts are shortened, so that a test neither waits long nor controls the
// time.
import type { Timers } from '@sealpost/contract/ports';
import { systemPorts } from '@sealpost/sdk';

/**
 * Timers shorter than this many milliseconds are pauses between attempts. Longer ones are time limits, which a slow
 * machine needs.
 */
const LEAST_LIMIT_MS = 20_000;

/**
 * Creates timers with shorter pauses and unchanged time limits.
 * @param background sets the timers that keep no process alive, which are renewals; real timers if not given
 */
export const hurriedTimers = (times: number, background: Timers['after'] = systemPorts.timers.after): Timers => ({
  ...systemPorts.timers,
  after: (ms, run, options) =>
    options?.background
      ? background(ms, run, options)
      : systemPorts.timers.after(ms < LEAST_LIMIT_MS ? ms / times : ms, run),
});

/** Timers that never fire, for clients that must not renew their session by themselves. */
export const never: Timers['after'] = () => ({ cancel: () => {} });
