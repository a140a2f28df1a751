// What a server does between the order to stop and its end, so that other servers take over step by step.
import type { Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import { event } from '../platform/stream/frames.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';

/** The event that makes a client connect again. */
export const RECONNECT = event('reconnect', {});

export interface DrainDeps {
  /** Milliseconds. */
  readonly drainMs: number;
  readonly openStreams: Pick<OpenStreams, 'size' | 'closeAll'>;
  readonly ports: Pick<ServerPorts, 'clock' | 'timers'>;
  readonly logger: Pick<Logger, 'info'>;
}

/** Goes on serving for a time, and ends the streams in equal steps meanwhile, so that other servers get few at once. */
export async function drain({ drainMs, openStreams, ports: { clock, timers }, logger }: DrainDeps): Promise<void> {
  const { size } = openStreams;
  logger.info({ seconds: drainMs / 1000, streams: size }, 'draining');
  const begun = clock.monotonic();
  const after = (ms: number) => new Promise<void>((resolve) => timers.after(ms, resolve));
  let accounts = 0;
  const untilNext = async (): Promise<void> => {
    accounts += 1;
    const wait = begun + (accounts * drainMs) / (size + 1) - clock.monotonic();
    // Many streams have steps below a millisecond. Those that a timer was too late for end together.
    if (wait > 0) await after(wait);
  };
  await Promise.all([openStreams.closeAll(RECONNECT, untilNext), after(drainMs)]);
}
