// Waits for the keys of a message, for callers that get each message only once.
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';
import type { OpenedMessage } from './open.ts';

const BACKOFF: Backoff = { initialMs: 500, maxMs: 10_000, multiplier: 2, jitter: 0.5 };
/** The number of attempts. With the pauses between them, they take a little more than half a minute. */
const TRIES = 8;

export interface Waiting {
  readonly ports: Pick<ClientPorts, 'timers' | 'random'>;
  readonly signal: AbortSignal | undefined;
  /** Returns true if nobody waits for the message any more, or the server will not answer. */
  readonly isOver: () => boolean;
}

/** Returns whether a message stayed sealed because its keys could not be fetched now, and may be fetched later. */
export const waitsForServer = ({ sealing }: OpenedMessage): boolean =>
  sealing.state === 'unopened' && sealing.waitsFor === 'server';

/** Opens a message. While its keys cannot be fetched from the server, tries again for some time. */
export async function openedInTime(
  open: () => Promise<OpenedMessage>,
  { ports, signal, isOver }: Waiting,
): Promise<OpenedMessage> {
  for (let failures = 0; ; failures++) {
    const opened = await open();
    if (!waitsForServer(opened) || failures + 1 >= TRIES || isOver()) return opened;
    await pause(ports.timers, backoffDelay(BACKOFF, failures, ports.random), signal);
  }
}
