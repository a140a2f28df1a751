// Creates the gateway, which answers the calls of clients. It consists of the request pipeline and what the pipeline
// calls: methods, objects and the stream.
import { type BrandHeader, brandHeader, brandHeaders, plainHeaders } from '@sealpost/contract';
import { createClientAddress } from '../platform/http/client-address.ts';
import { corsFor } from '../platform/http/cors.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import type { SecurityEvents } from '../platform/kernel/security-events.ts';
import { createAuthentication } from '../platform/rpc/authentication.ts';
import type { CallObserver } from '../platform/rpc/call-observer.ts';
import type { CallWatch } from '../platform/rpc/call-watch.ts';
import { createHttpEndpoints } from '../platform/rpc/http-requests.ts';
import { createObjectEndpoints } from '../platform/rpc/object-requests.ts';
import { createPipeline } from '../platform/rpc/pipeline.ts';
import type { RateLimits } from '../platform/rpc/rate-limit.ts';
import { createRefusals } from '../platform/rpc/refusals.ts';
import { rpcRoutes } from '../platform/rpc/routes.ts';
import { rpcEndpoints } from '../platform/rpc/rpc-requests.ts';
import { scheme1 } from '../platform/rpc/signature.ts';
import type { StrictContract } from '../platform/rpc/strict-contract.ts';
import { createUnreadAnswers } from '../platform/rpc/unread-answers.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';
import { receiveOperations } from '../platform/stream/sse.ts';
import type { OperationPolls } from '../slices/sync/index.ts';
import { createGateway } from './adapters.ts';
import type { Config } from './config/config.ts';
import type { Slices } from './slices.ts';

export interface CallGatewayDeps {
  readonly slices: Slices;
  readonly polls: OperationPolls;
  readonly openStreams: OpenStreams;
  readonly rates: RateLimits;
  readonly events: SecurityEvents;
  readonly ports: ServerPorts;
  readonly logger: Logger;
  readonly strict: StrictContract | undefined;
  readonly watch: CallWatch | undefined;
  readonly observer: CallObserver;
  /** Called with each error that is a fault of the server or its database. */
  readonly onFault: (error: unknown) => void;
  /** The build token of the web pages; undefined if there are none. */
  readonly webBuildToken: string | undefined;
}

export function createCallGateway(config: Config, deps: CallGatewayDeps) {
  const { slices, polls, openStreams, rates, events, ports, logger, strict, watch, observer } = deps;
  const { sessions } = slices;
  const buildTokens = [...config.buildTokens, ...(deps.webBuildToken === undefined ? [] : [deps.webBuildToken])];
  const corsHeaders = corsFor(config.allowedOrigins, [
    'Content-Type',
    'Range',
    'If-None-Match',
    'If-Range',
    ...Object.keys(brandHeaders).map((header) => brandHeader(config.headerBrand, header as BrandHeader)),
    ...Object.values(plainHeaders).map((header) => header.name),
  ]);
  const routes = rpcRoutes({ ...slices.handlers, ...polls.handlers });
  const clientAddress = createClientAddress(config.trustedProxies);
  const refuse = createRefusals({ clientAddress, events, ...ports, log: logger, onFault: deps.onFault });
  const authenticate = createAuthentication({
    ...{ sessions, events, log: logger },
    signature: config.signature,
    verifier: scheme1(buildTokens),
  });
  const gateway = createGateway({
    pipeline: createPipeline({
      ...{ rates, refuse, clientAddress, corsHeaders, strict, watch, observer },
      brand: config.headerBrand,
      unreadAnswers: createUnreadAnswers(config.limits.answerBytes.value),
    }),
    methods: rpcEndpoints({
      ...{ routes, authenticate, rates, log: logger },
      crashPoint: ports.crashPoint,
      strict: strict !== undefined,
    }),
    httpEndpointAt: createHttpEndpoints({
      authenticate,
      handlers: { ...slices.httpHandlers, operationReceive: receiveOperations(openStreams) },
    }),
    objectEndpointAt: createObjectEndpoints({
      callers: sessions,
      channelCallerOf: slices.channelCallerOf,
      handlers: slices.objectHandlers,
      signatures: {
        mode: config.signature,
        buildTokens,
        onMismatch: (path) => logger.warn({ path }, 'an upload or download has a wrong X-Hmac'),
      },
    }),
  });
  return { clientAddress, refuse, gateway };
}
