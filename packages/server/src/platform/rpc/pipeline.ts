// The path of one request, top to bottom. Whatever throws on the way is answered by `refuse`, in one place.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, always, brandHeader, type LimitClass, limits, plainHeaders } from '@sealpost/contract';
import { errorStatus, type HttpEndpoint } from '@sealpost/contract/schemas';
import { ClientGone, readBody } from '../http/body.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { queryOf } from '../http/query.ts';
import { WrongVerb } from '../http/wrong-verb.ts';
import { addressBlock } from '../kernel/address-block.ts';
import type { Logger } from '../kernel/logger.ts';
import type { CrashPoint, Random, Timers } from '../kernel/ports.ts';
import { eventOf, type SecurityEvents } from '../kernel/security-events.ts';
import { StoreFull, StoreSilent, StoreUnavailable } from '../store/store.ts';
import { canonicalArgs } from './argument-forms.ts';
import { type Caller, RawJson, type UserCall } from './call.ts';
import type { FoundEndpoint, GatewayEndpointName } from './endpoint-paths.ts';
import { failure, isHttpError, success } from './envelope.ts';
import { parseJson } from './json.ts';
import type { LiveSession, SessionLookup } from './live-session.ts';
import { RateExceeded } from './rate-exceeded.ts';
import type { RateLimits } from './rate-limit.ts';
import type { Route } from './routes.ts';
import { abortSignal, one, RpcCall } from './rpc-call.ts';
import { requireSignature, type SignatureMode, type Verifier } from './signature.ts';

export interface PipelineDeps {
  readonly sessions: SessionLookup;
  readonly rates: RateLimits;
  readonly clientAddress: ClientAddress;
  readonly events: SecurityEvents;
  readonly random: Random;
  readonly timers: Timers;
  readonly log: Logger;
  readonly crashPoint: CrashPoint;
  readonly brand: string;
  readonly signature: SignatureMode;
  readonly verifier: Verifier;
  /** Fails calls whose answer or error the contract does not declare. For tests and development. */
  readonly strictContract: boolean;
  /** Headers that answer a browser of an allowed origin. */
  readonly corsHeaders: (origin: string | undefined) => readonly string[];
}

/** A request outside of RPC, as its handler gets it. */
export interface HttpCall {
  readonly name: GatewayEndpointName;
  /** What the path has in place of each `{name}` of the pattern, as sent. */
  readonly params: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly caller: Caller | undefined;
  readonly body: Buffer;
  /** The body as JSON. @throws REQUEST_SCHEMA */
  json(): unknown;
  readonly requestId: string;
  readonly remoteAddress: string;
  readonly chromeClient: boolean;
  header(name: string): string | undefined;
  readonly signal: AbortSignal;
  setCookie(cookie: string): void;
  /** Headers to add when the handler writes the answer itself. */
  readonly extraHeaders: readonly string[];
}

/** The JSON of the whole answer, or undefined when the handler writes the answer itself. */
export type HttpHandler = (call: HttpCall) => Promise<string | undefined>;
/** What the gateway serves beside RPC. Object storage has a gateway of its own. */
export type HttpHandlers = { readonly [N in GatewayEndpointName]: HttpHandler };

const JSON_HEADERS = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'] as const;

/** How much of a refused body is read, and for how long, before its connection is closed. */
const DROPPED_BYTES = 32 * 1024 * 1024;
const DROPPED_MS = 5_000;

const declaredAlways = new Set<string>(always);

export function createPipeline(deps: PipelineDeps) {
  const accessHeader = brandHeader(deps.brand, 'access').toLowerCase();
  const versionHeader = brandHeader(deps.brand, 'clientVersion').toLowerCase();
  const chromeHeader = brandHeader(deps.brand, 'chromeVersion').toLowerCase();
  const hmacHeader = plainHeaders.hmac.name.toLowerCase();

  /** Verifies the signature, then finds the session: nothing of the request is trusted or parsed before. */
  async function authenticate(
    request: IncomingMessage,
    body: Buffer,
    need: 'required' | 'lenient' | 'optional',
    auth: 'user' | 'none',
    cookie: boolean,
  ): Promise<LiveSession | undefined> {
    const { headers } = request;
    const token = one(headers[accessHeader]) ?? (cookie ? cookieOf(headers.cookie, 'lct') : undefined) ?? '';
    const cached = token === '' ? undefined : deps.sessions.cached(token);
    requireSignature(
      deps.signature,
      deps.verifier,
      need,
      {
        path: request.url as string,
        body,
        signature: one(headers[hmacHeader]),
        version: one(headers[versionHeader]) ?? one(headers[chromeHeader]),
        accessToken: token,
        keys: cached?.keys,
      },
      (path) => {
        deps.events.note('wrong-signature', deps.clientAddress(request));
        deps.log.debug({ path: path.split('?')[0] }, 'wrong signature let through by lenient mode');
      },
    );
    if (auth === 'none') return undefined;
    if (token === '') throw new ApiError('REQUEST_NEED_LOGIN');
    return cached ?? (await deps.sessions.load(token));
  }

  function requireRate(limit: LimitClass, caller: Caller | undefined, address: string): void {
    const taken = deps.rates.take(limit, caller?.accountId ?? addressBlock(address));
    if (taken.ok) return;
    const seconds = Math.ceil(taken.retryAfterMs / 1000);
    throw new RateExceeded(`too many calls of the class ${limit}; wait ${seconds} s`, taken.retryAfterMs);
  }

  async function serveRpc(route: Route, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const extra = corsOf(request);
    try {
      if (request.method !== 'POST') throw new WrongVerb(request.method, ['POST']);
      const body = await readBody(request, limits.rpcBodyBytes.value);
      const { method } = route;
      const session = await authenticate(request, body, 'required', method.auth, false);
      const address = deps.clientAddress(request);
      requireRate(method.limit, session?.caller, address);
      const parsed = parseJson(body, route.namesOf);
      if (!Array.isArray(parsed)) throw new ApiError('REQUEST_SCHEMA', 'the body must be a JSON array of arguments');
      const args = canonicalArgs(route.name, parsed);
      route.check(args);
      deps.crashPoint('request.validated');
      const call = new RpcCall(context, route.name, session?.caller, args, address, request, response, extra);
      const result = await route.handler(call as UserCall, ...args);
      if (deps.strictContract) requireDeclaredResult(route, result);
      answer(response, 200, success(result instanceof RawJson ? result.json : JSON.stringify(result ?? null)), extra);
      count(route.counts, 'OK');
    } catch (error) {
      if (error instanceof ClientGone) return leave(request);
      const told = asApiError(error, request);
      if (
        !declaredAlways.has(told.code) &&
        !(route.method.errors as readonly string[]).includes(told.code) &&
        !isHttpError(told)
      ) {
        deps.log.error(
          { method: route.name, code: told.code },
          'a handler raised an error that its contract does not declare',
        );
        if (deps.strictContract) {
          refuse(
            response,
            new ApiError('UNKNOWN_ERROR', `${route.name} does not declare ${told.code}`),
            extra,
            request,
          );
          return;
        }
      }
      count(route.counts, told.code);
      refuse(response, told, extra, request, error);
    }
  }

  async function serveHttp(
    { name, params }: FoundEndpoint,
    endpoint: HttpEndpoint,
    handler: HttpHandler,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const extra = corsOf(request);
    try {
      const limit = endpoint.verbs[request.method as 'GET'];
      if (!limit) throw new WrongVerb(request.method, Object.keys(endpoint.verbs));
      const body = await readBody(request, limits[endpoint.body?.limit ?? 'rpcBodyBytes'].value);
      const need = endpoint.signed === true ? 'required' : endpoint.signed === 'lenient' ? 'lenient' : 'optional';
      const auth = endpoint.auth === 'user' ? 'user' : 'none';
      const session = await authenticate(request, body, need, auth, endpoint.cookie ?? false);
      const remoteAddress = deps.clientAddress(request);
      requireRate(limit, session?.caller, remoteAddress);
      const json = await handler({
        name,
        params,
        request,
        response,
        query: queryOf(request.url as string),
        caller: session?.caller,
        body,
        json: () => parseJson(body),
        requestId: requestIdOf(request),
        remoteAddress,
        chromeClient: request.headers[chromeHeader] !== undefined,
        header: (header) => one(request.headers[header]),
        get signal() {
          return abortSignal(response);
        },
        setCookie: (cookie) => {
          extra.push('Set-Cookie', cookie);
        },
        extraHeaders: extra,
      });
      if (json !== undefined) answer(response, 200, json, extra);
    } catch (error) {
      if (error instanceof ClientGone) return leave(request);
      refuse(response, asApiError(error, request), extra, request, error, endpoint);
    }
  }

  const corsOf = (request: IncomingMessage): string[] =>
    request.headers.origin === undefined ? [] : [...deps.corsHeaders(request.headers.origin)];

  const ids = new WeakMap<IncomingMessage, string>();
  const context = { chromeHeader, requestIdOf };
  function requestIdOf(request: IncomingMessage): string {
    let id = ids.get(request);
    if (!id) {
      id = deps.random.bytes(8).toString('hex');
      ids.set(request, id);
    }
    return id;
  }

  const leave = (request: IncomingMessage): void =>
    deps.log.debug({ path: request.url?.split('?')[0] }, 'a client left before its request was whole');

  /** Faults become the two errors that say "not your fault"; the log gets the cause. */
  function asApiError(error: unknown, request: IncomingMessage): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof StoreUnavailable) {
      deps.log.error({ error, requestId: requestIdOf(request) }, 'the store is unavailable');
      return new ApiError('OVERLOADED', unavailable(error));
    }
    deps.log.error({ error, requestId: requestIdOf(request), path: request.url?.split('?')[0] }, 'a request failed');
    return new ApiError('UNKNOWN_ERROR', `request ${requestIdOf(request)} failed; the log of the server says why`);
  }

  function refuse(
    response: ServerResponse,
    error: ApiError,
    extra: readonly string[],
    request: IncomingMessage,
    cause?: unknown,
    endpoint?: HttpEndpoint,
  ): void {
    const event = eventOf(error);
    if (event) deps.events.note(event, deps.clientAddress(request));
    if (response.headersSent || response.destroyed) return;
    const headers = ['X-Request-Id', requestIdOf(request), ...extra];
    if (cause instanceof RateExceeded) headers.push('Retry-After', String(Math.ceil(cause.retryAfterMs / 1000)));
    else if (error.code === 'OVERLOADED') headers.push('Retry-After', '1');
    else if (error instanceof WrongVerb) headers.push('Allow', error.allowed);
    const status = errorStatus(error.code, endpoint);
    const body = failure(error);
    if (request.complete) {
      answer(response, status, body, headers);
      return;
    }
    headers.push('Connection', 'close');
    response.write(body, writeHead(response, status, body, headers));
    dropRest(request, () => response.end());
  }

  /** A connection that is closed before all of its bytes are read is reset, and the client may never see its answer. */
  function dropRest(request: IncomingMessage, done: () => void): void {
    let left = DROPPED_BYTES;
    const timer = deps.timers.after(DROPPED_MS, finish);
    function finish(): void {
      timer.cancel();
      done();
    }
    request.on('data', (piece: Buffer) => {
      left -= piece.length;
      if (left < 0) finish();
    });
    for (const end of ['end', 'error', 'close']) request.once(end, finish);
    request.resume();
  }

  function requireDeclaredResult(route: Route, result: unknown): void {
    const value: unknown = JSON.parse(result instanceof RawJson ? result.json : JSON.stringify(result ?? null));
    const validator = route.resultCheck();
    if (validator.Check(value)) return;
    throw new Error(
      `${route.name} answered what its contract does not declare: ${JSON.stringify(validator.Errors(value)[0])}`,
    );
  }

  return { serveRpc, serveHttp, refuse, requireRate, asApiError, clientAddress: deps.clientAddress };
}

/** What a caller may know of it. */
function unavailable(error: StoreUnavailable): string {
  if (error instanceof StoreFull)
    return 'the disk of the server is full and nothing was stored; try again once its operator made room';
  if (error instanceof StoreSilent)
    return 'the database does not answer: the call may have taken effect or not; repeat it as it is';
  return 'the store is unavailable, try again';
}

export function answer(response: ServerResponse, status: number, body: string, extra: readonly string[]): void {
  response.end(body, writeHead(response, status, body, extra));
}

/** Answers in which encoding the body is to be written. */
function writeHead(
  response: ServerResponse,
  status: number,
  body: string,
  extra: readonly string[],
): 'latin1' | 'utf8' {
  const length = Buffer.byteLength(body);
  const headers = [...JSON_HEADERS, 'Content-Length', String(length)];
  response.writeHead(status, extra.length === 0 ? headers : [...headers, ...extra]);
  // Text of one byte per character needs no encoding.
  return length === body.length ? 'latin1' : 'utf8';
}

export function cookieOf(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

function count(counts: Map<string, number>, outcome: string): void {
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
}
