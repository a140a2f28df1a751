// Shuts a server down in order: first streams and calls end, then all open parts are closed.
import type { Server } from 'node:http';
import type { Timer, Timers } from '@sealpost/contract/ports';
import type { Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';
import type { Subscribers } from '../platform/subscriber/subscribers.ts';
import type { OperationPolls } from '../slices/sync/index.ts';
import { drain, endStreams } from './drain.ts';
import type { Slices } from './slices.ts';

/** Milliseconds that running calls have to finish. */
const CALLS_MS = 8_000;
/** Milliseconds between the ends of two streams, and the maximum for all of them. */
const STREAM_STEP_MS = 10;
const STREAMS_MS = 4_000;
const SWEEP_MS = 50;

export interface ShutdownDeps {
  /** The HTTP server to close; undefined if another server continues to use it. */
  readonly http: Server | undefined;
  /** Milliseconds that the server goes on serving, while its streams end one after another. */
  readonly drainMs: number;
  /** True if other processes go on taking connections at the same address. */
  readonly othersServe: boolean;
  readonly openStreams: OpenStreams;
  readonly polls: OperationPolls;
  readonly subscribers: Pick<Subscribers, 'close'>;
  readonly slices: Slices;
  readonly upkeep: Timer;
  /** Closes everything that the start opened, and releases the lock of the data folder. */
  readonly release: () => Promise<void>;
  readonly ports: ServerPorts;
  readonly logger: Logger;
}

export async function shutDown(deps: ShutdownDeps): Promise<void> {
  const { http, openStreams, polls, subscribers, slices, upkeep, release, ports, logger } = deps;
  const close = () => http && new Promise<void>((resolve) => void http.close(() => resolve()));
  // New connections go to the other processes of this server at once. Other servers get them once a balancer has seen
  // that this server stops.
  const closedBefore = deps.othersServe ? close() : undefined;
  if (deps.drainMs > 0) await drain(deps);
  // Until here, the subscribers tell other servers whose streams are open at this one, so that connected users get no
  // pushes. They are closed before the last streams. Otherwise, they would think that users whose streams are closed
  // now are absent.
  await subscribers.close();
  polls.endAll();
  const closed = closedBefore ?? close();
  upkeep.cancel();
  slices.login.endPolls();
  await endStreams(deps, Math.min(openStreams.size * STREAM_STEP_MS, STREAMS_MS));
  if (http && closed) await connectionsClosed(http, closed, ports.timers);
  await release();
  logger.info('stopped');
}

/** Closes connections as their calls end, and the rest after a time. */
async function connectionsClosed(http: Server, closed: Promise<void>, timers: Timers): Promise<void> {
  http.closeIdleConnections();
  const cut = timers.after(CALLS_MS, () => http.closeAllConnections());
  // Keep-alive connections become idle one by one as their calls end, so idle connections are closed repeatedly.
  const sweep = timers.every(SWEEP_MS, () => http.closeIdleConnections());
  await Promise.race([closed, new Promise<void>((resolve) => void timers.after(CALLS_MS + 1000, resolve))]);
  cut.cancel();
  sweep.cancel();
}
