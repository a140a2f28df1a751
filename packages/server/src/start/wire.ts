// Opens the adapters, and connects them with the slices, the streams and the calls.
import { limits } from '@sealpost/contract';
import { createIds } from '../platform/kernel/ids.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import { createSecurityEvents } from '../platform/kernel/security-events.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import { createCallObserver } from '../platform/observability/observed-calls.ts';
import { createRequestLog } from '../platform/observability/request-log.ts';
import type { Traces } from '../platform/observability/traces.ts';
import { createRateLimits } from '../platform/rpc/rate-limit.ts';
import { createStrictContract, type StrictContract } from '../platform/rpc/strict-contract.ts';
import { OpenStreams } from '../platform/stream/open-streams.ts';
import { createOperationLog } from '../platform/stream/operation-log.ts';
import { createSubscribers, type Subscribers } from '../platform/subscriber/subscribers.ts';
import { createOperationPolls } from '../slices/sync/index.ts';
import { type Adapters, openAdapters } from './adapters.ts';
import type { Config } from './config/config.ts';
import { createCallGateway } from './gateway.ts';
import type { Addresses } from './listening.ts';
import type { Opened } from './opened.ts';
import type { ServerOptions } from './server-options.ts';
import { watchSessions } from './session-watch.ts';
import { createSlices } from './slices.ts';
import { STREAM_TICK_MS } from './upkeep.ts';
import { version } from './version.ts';
import { createWebClient } from './web-client.ts';

/** State that is known only while the server runs. */
export interface State {
  addresses: Addresses;
  stopping: boolean;
}

export interface WireDeps {
  readonly ports: ServerPorts;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly traces: Traces | undefined;
  readonly opened: Opened['add'];
  readonly state: State;
}

/** The parts of a server that does not listen yet. */
export type Wired = Awaited<ReturnType<typeof wire>>;

/** Opens the adapters and creates the parts of a server. The server does not listen yet. */
export async function wire(config: Config, options: ServerOptions, deps: WireDeps) {
  const { ports, metrics, logger, traces, opened, state } = deps;
  const { clock, timers, random } = ports;
  const { onFatal = () => {} } = options;
  const ownBus = options.siblings?.bus;
  const adapters =
    options.adapters ??
    (await openAdapters(config, { version, ports, metrics, logger, traces, onFatal, ownBus }, opened));
  const { store, bus, outbound, objects, pictures } = adapters;
  const openAccounts = (accountId?: number) =>
    [...openStreams.openSessions(accountId), ...polls.openSessions(accountId)].map((session) => session.accountId);
  const subscribers = opened(createSubscribers({ store, ports, logger, traces, openAccounts }));
  const { log, openStreams } = createStreams(config, adapters, deps, subscribers);
  const rates = createRateLimits(clock, config.rates);
  const events = opened(createSecurityEvents(logger, timers));
  const strict: StrictContract | undefined =
    options.strictContract && createStrictContract(options.strictContract, options.workbench !== undefined);
  const slices = await createSlices({
    store: strict ? strict.store(store) : store,
    pictures,
    log: strict ? strict.log(log) : log,
    ids: createIds(clock, random, adapters.node),
    ports,
    metrics,
    rates,
    events,
    logger,
    limits: config.limits,
    failureLimits: config.failureLimits,
    objects,
    subscribers,
    outbound,
    push: config.push,
    media: config.media,
    messageDays: config.messageDays,
    confirmation: config.loginConfirmation,
    registration: config.registration,
    needsSecondFactor: config.mode !== 'dev',
    forbiddenWords: config.forbiddenWords,
    secureCookies: config.publicUrl?.startsWith('https://') ?? false,
    brand: config.headerBrand,
    url: () => state.addresses.url,
  });
  opened(slices.media);
  opened(slices.push);
  const polls = createOperationPolls({ store, log, openStreams, timers });
  const woken = (accountId: number) => {
    openStreams.wake(accountId);
    subscribers.note(accountId);
  };
  const watch = watchSessions({ store, sessions: slices.sessions, openStreams, polls, bus, logger, woken });
  const webClient = await createWebClient(config, { store, random, clock, version });
  const webBuildToken = webClient?.facts.buildToken;
  const onFault = (error: unknown) => metrics.fault(error);
  const requestLog = createRequestLog(config.requestLog, logger);
  const observer = createCallObserver({ metrics, clock, random, requestLog, traces, tagOf: slices.tagOf });
  const shared = { slices, polls, openStreams, rates, events, ports, logger, strict, observer, onFault };
  const calls = createCallGateway(config, { ...shared, watch: options.workbench?.watch, webBuildToken });
  const own = { rates, events, strict, watch, webClient, calls, onFault, requestLog };
  return { adapters, subscribers, log, openStreams, slices, polls, ...own };
}

/**
 * Returns the operation logs and the streams. Streams of this server get new operations directly. The bus announces
 * them to the other servers.
 */
function createStreams(
  config: Config,
  { store, bus }: Adapters,
  { ports: { clock }, metrics, logger }: Pick<WireDeps, 'ports' | 'metrics' | 'logger'>,
  subscribers: Pick<Subscribers, 'publish'>,
) {
  const log = createOperationLog(clock, (operations) => {
    openStreams.publish(operations);
    subscribers.publish(operations);
    if (bus.kind !== 'local') bus.wake('log', [...new Set(operations.map((operation) => operation.accountId))]);
  });
  const openStreams: OpenStreams = new OpenStreams({
    store,
    log,
    clock,
    pingMs: limits.streamPingMs.value,
    tickMs: STREAM_TICK_MS,
    bufferBytes: limits.streamBufferBytes.value,
    totalBytes: config.limits.streamBytes.value,
    streamsPerAccount: limits.streamsPerAccount.value,
    onDelivered: metrics.delivered,
    onError: (error) => logger.error({ error }, 'a stream failed'),
  });
  return { log, openStreams };
}
