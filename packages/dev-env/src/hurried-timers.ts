// Timers of a client whose test has no time to wait between tries, and does not own the time either.
import type { Timers } from '@sealpost/contract/ports';
import { systemPorts } from '@sealpost/sdk';

/** Shorter ones are pauses between tries; the others are time limits, which a slow machine needs. */
const LEAST_LIMIT_MS = 20_000;

/**
 * Pauses are so many times shorter; time limits stay.
 * @param background sets the timers that keep no process alive: renewals. The real ones, if not given.
 */
export const hurriedTimers = (times: number, background: Timers['after'] = systemPorts.timers.after): Timers => ({
  ...systemPorts.timers,
  after: (ms, run, options) =>
    options?.background
      ? background(ms, run, options)
      : systemPorts.timers.after(ms < LEAST_LIMIT_MS ? ms / times : ms, run),
});

/** A timer that never goes off: clients without a schedule. */
export const never: Timers['after'] = () => ({ cancel: () => {} });
