// Requests of object storage. Unlike all others they are answered while their bodies are still arriving, so nothing
// here reads a body: the handler takes it piece by piece, or leaves it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, brandHeader, plainHeaders } from '@sealpost/contract';
import { type HttpEndpoint, httpEndpoints } from '@sealpost/contract/schemas';
import { queryOf } from '../http/query.ts';
import { WrongVerb } from '../http/wrong-verb.ts';
import type { Caller } from './call.ts';
import type { SessionLookup } from './live-session.ts';
import { type ObjectPath, readObjectPath } from './object-paths.ts';
import { answer, cookieOf, type createPipeline } from './pipeline.ts';
import { type BodySignature, type BodySignatureDeps, bodySignature } from './signature.ts';

/** Which proof of the caller a path asks for (specification: Authentication, Object-storage headers). */
export type ObjectAuth = 'none' | 'access' | 'channel';

export interface ObjectCall {
  readonly path: ObjectPath;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly caller: Caller | undefined;
  header(name: string): string | undefined;
  /** The check of the body's signature, which the handler feeds; undefined where there is none. */
  readonly signature: BodySignature | undefined;
  /** Headers to add to the answer. */
  readonly extraHeaders: readonly string[];
}

export interface ObjectHandlers {
  /** Undefined where the path names no kind of object, or one that does not take the verb. */
  authOf(path: ObjectPath, verb: string): ObjectAuth | undefined;
  readonly serve: {
    /** Answers JSON, or undefined when the handler wrote the answer itself. */
    readonly [O in ObjectPath['endpoint']]: (call: ObjectCall) => Promise<string | undefined>;
  };
}

/** What object storage asks of the sessions slice. */
export interface ObjectCallers extends SessionLookup {
  readObjectToken(token: string): Promise<Caller | undefined>;
}

export interface ObjectGatewayDeps {
  /** Whose channel token it is, if it is one. */
  readonly channelCallerOf: (token: string | undefined) => Promise<Caller | undefined>;
  readonly pipeline: Pick<ReturnType<typeof createPipeline>, 'refuse' | 'requireRate' | 'asApiError' | 'clientAddress'>;
  readonly callers: ObjectCallers;
  readonly handlers: ObjectHandlers;
  readonly signatures: Omit<BodySignatureDeps, 'onMismatch'>;
  readonly onMismatch: (path: string) => void;
  readonly brand: string;
  readonly corsHeaders: (origin: string | undefined) => readonly string[];
}

/** A browser shows these to a page only if told so. */
const EXPOSED = ['Access-Control-Expose-Headers', 'x-obs-oid, x-obs-hash, x-obs-offset, Content-Range, ETag'] as const;

const SIGNATURE = plainHeaders.hmac.name.toLowerCase();

export type ObjectGateway = (path: string, request: IncomingMessage, response: ServerResponse) => void;

export function createObjectGateway({
  pipeline,
  callers,
  channelCallerOf,
  handlers,
  signatures,
  onMismatch,
  brand,
  corsHeaders,
}: ObjectGatewayDeps): ObjectGateway {
  const accessHeader = brandHeader(brand, 'access').toLowerCase();
  const versionHeader = brandHeader(brand, 'clientVersion').toLowerCase();
  const chromeHeader = brandHeader(brand, 'chromeVersion').toLowerCase();
  const channelHeader = brandHeader(brand, 'channelToken').toLowerCase();

  async function callerOf(auth: ObjectAuth, { headers, method }: IncomingMessage): Promise<Caller | undefined> {
    if (auth === 'none') return undefined;
    if (auth === 'channel') {
      const caller = await channelCallerOf(one(headers[channelHeader]));
      if (!caller) throw new ApiError('REQUEST_NEED_LOGIN', 'no channel token, or one that is wrong or over');
      return caller;
    }
    // A cookie comes along with requests that other pages cause, so it is no proof for a change.
    const cookie = method === 'POST' ? undefined : cookieOf(headers.cookie, 'lct');
    const token = one(headers[accessHeader]) ?? cookie ?? '';
    if (token === '') throw new ApiError('REQUEST_NEED_LOGIN');
    return (await callers.readObjectToken(token)) ?? (callers.cached(token) ?? (await callers.load(token))).caller;
  }

  /** Object storage asks for no signature; one that comes all the same must be right. */
  const signatureOf = ({ headers, url = '' }: IncomingMessage): BodySignature | undefined =>
    bodySignature(
      { ...signatures, onMismatch },
      {
        path: url,
        signature: one(headers[SIGNATURE]),
        version: one(headers[versionHeader]) ?? one(headers[chromeHeader]),
        accessToken: one(headers[accessHeader]) ?? '',
      },
    );

  /** Not every kind of object takes every verb; none is there at a path that names no kind. */
  const verbsAt = (path: ObjectPath): string[] =>
    Object.keys(httpEndpoints[path.endpoint].verbs).filter((verb) => handlers.authOf(path, verb));

  async function serve(
    path: ObjectPath,
    verbs: readonly string[],
    request: IncomingMessage,
    response: ServerResponse,
    extra: readonly string[],
  ): Promise<void> {
    const endpoint: HttpEndpoint = httpEndpoints[path.endpoint];
    try {
      const limit = endpoint.verbs[request.method as 'GET'];
      const auth = handlers.authOf(path, request.method as string);
      if (!limit || !auth) throw new WrongVerb(request.method, verbs);
      const caller = await callerOf(auth, request);
      pipeline.requireRate(limit, caller, pipeline.clientAddress(request));
      const signature = signatureOf(request);
      // There is no body whose end would have to be waited for.
      if (request.method !== 'POST') signature?.require();
      const json = await handlers.serve[path.endpoint]({
        path,
        request,
        response,
        query: queryOf(request.url as string),
        caller,
        signature,
        header: (name) => one(request.headers[name.toLowerCase()]),
        extraHeaders: extra,
      });
      if (json !== undefined) answer(response, 200, json, extra);
    } catch (error) {
      pipeline.refuse(response, pipeline.asApiError(error, request), extra, request, error, endpoint);
    }
  }

  return (text, request, response) => {
    const { origin } = request.headers;
    const extra = origin === undefined ? [] : [...corsHeaders(origin), ...EXPOSED];
    const path = readObjectPath(text);
    const verbs = path ? verbsAt(path) : [];
    if (!path || verbs.length === 0) {
      pipeline.refuse(response, new ApiError('NOT_FOUND_PATH', `no object at ${text.slice(0, 200)}`), extra, request);
    } else if (request.method === 'OPTIONS') {
      response.writeHead(204, [...extra, 'Content-Length', '0']);
      response.end();
    } else {
      void serve(path, verbs, request, response, extra);
    }
  };
}

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);
