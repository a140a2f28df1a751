// Shuts a server down in order: first streams and calls end, then all open parts are closed.
import type { Server } from 'node:http';
import { drawFraction, type Timer, type Timers } from '@sealpost/contract/ports';
import type { Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';
import type { Subscribers } from '../platform/subscriber/subscribers.ts';
import type { OperationPolls } from '../slices/sync/index.ts';
import { drain, RECONNECT } from './drain.ts';
import type { Slices } from './slices.ts';

const DRAIN_MS = 8_000;
const CLOSE_SPREAD_MS = 20;
const SWEEP_MS = 50;

export interface ShutdownDeps {
  /** The HTTP server to close; undefined if another server continues to use it. */
  readonly http: Server | undefined;
  /** Milliseconds that the server goes on serving, while its streams end one after another. */
  readonly drainMs: number;
  /** True if other processes of this server take connections at the same address. */
  readonly hasSiblings: boolean;
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
  const { timers, random } = ports;
  const after = (ms: number) => new Promise<void>((resolve) => timers.after(ms, resolve));
  const close = () => http && new Promise<void>((resolve) => void http.close(() => resolve()));
  // New connections go to the other processes of this server at once. Other servers get them once a balancer has seen
  // that this server stops.
  const closedBefore = deps.hasSiblings ? close() : undefined;
  // The subscribers are closed before the streams. Otherwise, subscribers would think that users whose streams are
  // closed now are absent.
  await subscribers.close();
  if (deps.drainMs > 0) await drain(deps);
  polls.endAll();
  const closed = closedBefore ?? close();
  upkeep.cancel();
  slices.login.endPolls();
  const pause = () => after(drawFraction(random) * CLOSE_SPREAD_MS);
  await Promise.race([openStreams.closeAll(RECONNECT, pause), after(DRAIN_MS / 2)]);
  if (http && closed) await connectionsClosed(http, closed, timers);
  await release();
  logger.info('stopped');
}

/** Closes connections as their calls end, and the rest after a time. */
async function connectionsClosed(http: Server, closed: Promise<void>, timers: Timers): Promise<void> {
  http.closeIdleConnections();
  const cut = timers.after(DRAIN_MS, () => http.closeAllConnections());
  // Keep-alive connections become idle one by one as their calls end, so idle connections are closed repeatedly.
  const sweep = timers.every(SWEEP_MS, () => http.closeIdleConnections());
  await Promise.race([closed, new Promise<void>((resolve) => void timers.after(DRAIN_MS + 1000, resolve))]);
  cut.cancel();
  sweep.cancel();
}
