// The pages and APIs outside the protocol: the web client, the admin API, metrics, readiness and state of the server.
import type { IncomingMessage } from 'node:http';
import type { AdminEndpoint, StatusEndpoint } from '@sealpost/contract/admin';
import type { Metrics } from '../platform/observability/metrics.ts';
import { type AdminGateDeps, type AdminHandlers, createAdminGate } from '../slices/admin/index.ts';
import { type Adapters, foldersOf } from './adapters.ts';
import { createAdminPages } from './admin-pages.ts';
import type { Config } from './config/config.ts';
import { fullestDisk } from './disk-space.ts';
import { createMetricsPage, METRICS_PATH, type MetricsPage } from './metrics-page.ts';
import { showState } from './metrics-state.ts';
import type { Siblings } from './processes/siblings.ts';
import { createReadiness, diskPart, type Readiness } from './readiness.ts';
import { statusAdminHandlers } from './status-handlers.ts';
import { createStatusHistory } from './status-history.ts';
import { version } from './version.ts';
import { createWeb, originOf, type WebDeps } from './web.ts';
import type { WireDeps, Wired } from './wire.ts';

interface PageDeps extends WireDeps, Pick<WebDeps, PageFacts> {
  readonly siblings: Siblings | undefined;
}
type PageFacts = 'adminToken' | 'proofOf' | 'addresses' | 'stopping';

/** Creates the pages and APIs that are served outside the protocol. */
export async function createPages(config: Config, parts: Wired, deps: PageDeps) {
  const { adapters, subscribers, slices, openStreams, rates, events, onFault, requestLog, strict, webClient } = parts;
  const { ports, metrics, logger, traces, siblings, state: _state, opened: _opened, ...facts } = deps;
  const readiness = readinessOf(config, adapters, { ports, logger, siblings });
  showState(metrics, { openStreams, subscribers, events, readiness });
  const metricsPage = metricsPageOf(config, siblings?.metrics(metrics) ?? metrics, {
    ...{ ...parts.calls, ...facts, rates, events },
    credentials: slices.administrators.credentials,
    origin: () => originOf(facts.addresses().url),
  });
  const web = await createWeb({
    ...parts.calls,
    ...facts,
    ...{ slices, rates, events, readiness, metrics, requestLog, traces, onFault, strict, version, webClient },
    store: adapters.store,
    random: ports.random,
    log: logger,
    brand: config.headerBrand,
    allowedOrigins: config.allowedOrigins,
    buildToken: config.mode === 'dev' ? config.buildTokens[0] : undefined,
    adminPages: config.adminPages ? createAdminPages() : undefined,
    statusHandlers: statusHandlersOf(config, deps, { ...parts, readiness }),
    metricsPage: config.metrics.address ? undefined : metricsPage,
  });
  return { web, metricsPage };
}

/** Returns the page of the metrics, which needs the admin token unless the settings open it. */
const metricsPageOf = (
  { metrics: { access } }: Config,
  metrics: Pick<Metrics, 'contentType' | 'text'>,
  gateDeps: AdminGateDeps,
): MetricsPage => createMetricsPage(metrics, access === 'token' ? metricsGate(gateDeps) : undefined);

/**
 * The metrics page in the form of an admin endpoint that only reads. The gate of the admin API can then check access to
 * it.
 */
const metricsEndpoint: AdminEndpoint = {
  summary: 'Returns the metrics.',
  verb: 'GET',
  path: METRICS_PATH,
  scope: 'read',
  problems: {},
};

function metricsGate(deps: AdminGateDeps): (request: IncomingMessage) => unknown {
  const gate = createAdminGate(deps);
  return (request) => gate(request, { endpoint: metricsEndpoint, addHeader: () => {} });
}

interface StatusParts extends Pick<Wired, 'openStreams' | 'slices'> {
  readonly readiness: Readiness;
}

/** Starts to record the server's work, and returns the admin handlers that report it. */
function statusHandlersOf(
  config: Config,
  { ports, metrics, logger, state, opened }: WireDeps,
  { openStreams, slices, readiness }: StatusParts,
): AdminHandlers<StatusEndpoint> {
  const { clock, timers } = ports;
  const disk = () => fullestDisk(foldersOf(config));
  const streams = () => openStreams.size;
  const onError = (error: unknown) => logger.error({ error }, 'the work of the server was not sampled');
  const work = () => ({ streams: streams(), ...metrics.work });
  return statusAdminHandlers({
    ...{ clock, version, readiness, streams, disk, startedTime: clock.now(), settings: config.shown },
    url: () => state.addresses.url,
    openReports: slices.openReports,
    history: opened(createStatusHistory({ clock, timers, work, disk, onError })),
  });
}

const readinessOf = (
  config: Config,
  { store, bus, objects }: Adapters,
  { ports, logger, siblings }: Pick<PageDeps, 'ports' | 'logger' | 'siblings'>,
): Readiness =>
  createReadiness({
    parts: {
      database: () => store.check(),
      bus: () => bus.check(),
      objects: () => objects.check(),
      disk: diskPart(foldersOf(config), config.leastFreeBytes),
      ...siblings?.parts,
    },
    // The server works without these parts. Without the bus, each server checks for changes by the others every two
    // seconds. Without one of its processes, the other processes serve.
    optional: ['bus', ...Object.keys(siblings?.parts ?? {})],
    ...ports,
    log: logger,
  });
