// A gateway without pages and without a port, on a store and a bus that several gateways of one process share. The
// simulator of the tests runs such gateways. It passes them requests directly, and drops them to simulate a crash.
import type { Gateway } from '../platform/http/connections.ts';
import { Metrics } from '../platform/observability/metrics.ts';
import { createOutbound } from '../platform/outbound/outbound.ts';
import { type Adapters, measuredPorts, openLogger, portsOf } from './adapters.ts';
import type { Config } from './config/config.ts';
import { createOpened } from './opened.ts';
import type { ServerOptions } from './server-options.ts';
import type { Slices } from './slices.ts';
import { startUpkeep } from './upkeep.ts';
import { version } from './version.ts';
import { type State, wire } from './wire.ts';

export type SharedAdapters = Pick<Adapters, 'store' | 'node' | 'bus' | 'objects'>;

export interface SharedGateway {
  /** Handles a request of the protocol and returns true; returns false for any other request. */
  readonly serve: Gateway;
  readonly slices: Slices;
}

/** Starts a gateway on shared adapters, with its regular work. Nothing stops it, except that its ports stop. */
export async function startSharedGateway(
  config: Config,
  { store, node, bus, objects }: SharedAdapters,
  options: Pick<ServerOptions, 'ports' | 'logger'>,
): Promise<SharedGateway> {
  const given = portsOf(options.ports);
  const metrics = new Metrics(given.clock, version);
  const ports = measuredPorts(given, metrics);
  const logger = options.logger ?? openLogger(config.logLevel);
  const url = config.publicUrl ?? '';
  const state: State = { addresses: { url, obsUrl: url }, stopping: false };
  const outbound = createOutbound({ ...config.outbound, ...ports });
  const none = { keepNode: undefined, finishMigrations: undefined };
  const adapters: Adapters = { store, node, bus, objects, pictures: objects, outbound, ...none };
  const deps = { ports, metrics, logger, traces: undefined, opened: createOpened().add, state };
  const parts = await wire(config, { ...options, adapters }, deps);
  const { log, openStreams, subscribers, slices, watch } = parts;
  startUpkeep({ store, log, openStreams, subscribers, watch, slices, config, ports, logger, ...none });
  return { serve: parts.calls.gateway, slices };
}
