// Timers for a client that shorten its pauses between attempts. So a test need not wait long or control the time.
import type { Timers } from '@sealpost/contract/ports';
import { systemPorts } from '@sealpost/sdk';

/**
 * Timers that are shorter than this are treated as pauses between attempts. Longer timers are time limits. They stay
 * unchanged, because a slow machine needs the time.
 */
const LEAST_LIMIT_MS = 20_000;

/**
 * Creates timers with shorter pauses and unchanged time limits.
 * @param times the factor by which pauses are shorter
 * @param background sets background timers, with which a client renews its session; by default, these are real timers
 */
export const hurriedTimers = (times: number, background: Timers['after'] = systemPorts.timers.after): Timers => ({
  ...systemPorts.timers,
  after: (ms, run, options) =>
    options?.background
      ? background(ms, run, options)
      : systemPorts.timers.after(ms < LEAST_LIMIT_MS ? ms / times : ms, run),
});

/** Sets timers that never fire, for clients that must not renew their session by themselves. */
export const never: Timers['after'] = () => ({ cancel: () => {} });
