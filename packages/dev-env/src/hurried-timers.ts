// Timers for a client. They shorten its pauses between attempts, so that a test need not wait long or control the time.
import type { Timers } from '@sealpost/contract/ports';
import { systemPorts } from '@sealpost/sdk';

/**
 * Timers shorter than this many milliseconds are pauses between attempts. Longer timers are time limits, which stay
 * long because a slow machine needs the time.
 */
const LEAST_LIMIT_MS = 20_000;

/**
 * Creates timers with shorter pauses and unchanged time limits.
 * @param background sets the background timers, with which a client renews its session; real timers if not given
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
