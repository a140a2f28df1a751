// What a server does between the order to stop and its end, so that other servers take over step by step.
import type { Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import { RECONNECT } from '../platform/stream/frames.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';

interface EndsDeps {
  readonly openStreams: Pick<OpenStreams, 'size' | 'closeAll'>;
  readonly ports: Pick<ServerPorts, 'clock' | 'timers'>;
}

export interface DrainDeps extends EndsDeps {
  /** Milliseconds. */
  readonly drainMs: number;
  readonly logger: Pick<Logger, 'info'>;
}

/** Goes on serving for a time, and ends the streams in equal steps meanwhile, so that other servers get few at once. */
export async function drain(deps: DrainDeps): Promise<void> {
  const { drainMs, openStreams, ports, logger } = deps;
  logger.info({ seconds: drainMs / 1000, streams: openStreams.size }, 'draining');
  await Promise.all([endStreams(deps, drainMs), after(ports, drainMs)]);
}

/** Tells the clients of all streams to connect again, in equal steps over a time in milliseconds. */
export function endStreams({ openStreams, ports }: EndsDeps, ms: number): Promise<void> {
  const { size } = openStreams;
  const begun = ports.clock.monotonic();
  let ended = 0;
  return openStreams.closeAll(RECONNECT, async () => {
    ended += 1;
    const wait = begun + (ended * ms) / (size + 1) - ports.clock.monotonic();
    // Many streams have steps below a millisecond. Those that a timer was too late for end together.
    if (wait > 0) await after(ports, wait);
  });
}

const after = ({ timers }: EndsDeps['ports'], ms: number): Promise<void> =>
  new Promise((resolve) => void timers.after(ms, resolve));
