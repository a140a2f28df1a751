// Waits for another device (specification: Operation stream, long polls, notices).
import { brandHeader, type ErrorName, plainHeaders } from '@sealpost/contract';
import type { ExchangeExtras, Gateway } from '../gateway/calls.ts';
import { GatewayError, NetworkError } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';

const SPARE_MS = 10_000;
const BACKOFF: Backoff = { initialMs: 500, maxMs: 5_000, multiplier: 2, jitter: 0.5 };
const NETWORK_FAILURES = 10;

/**
 * Returns the headers and the timeout of a poll: the id of what the poll waits for, and how long the server may wait.
 */
export const pollOf = (gateway: Gateway, id: string, waitMs: number, signal: AbortSignal): ExchangeExtras => ({
  headers: { [brandHeader(gateway.brand, 'sessionId')]: id, [plainHeaders.longPollTime.name]: String(waitMs) },
  timeoutMs: waitMs + SPARE_MS,
  signal,
});

export interface PollOptions {
  /** The error of a poll that ended without news. */
  readonly elapsed: ErrorName;
  /** Number of polls without news after which `longPoll` gives up. */
  readonly windows: number;
  readonly signal: AbortSignal;
}

/**
 * Polls until there is an answer. A poll changes nothing, so it is repeated if its answer is lost. Returns undefined
 * after `windows` polls without news.
 */
export async function longPoll<T>(
  ports: ClientPorts,
  options: PollOptions,
  poll: () => Promise<T>,
): Promise<T | undefined> {
  let failures = 0;
  for (let window = 0; window < options.windows; ) {
    try {
      return await poll();
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof GatewayError && error.error === options.elapsed) {
        window += 1;
        failures = 0;
        continue;
      }
      if (!(error instanceof NetworkError) || failures === NETWORK_FAILURES) throw error;
      await pause(ports.timers, backoffDelay(BACKOFF, failures++, ports.random), options.signal);
    }
  }
  return undefined;
}
