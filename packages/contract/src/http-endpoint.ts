import type { TSchema } from 'typebox';
import { type ErrorName, errors } from './errors.ts';
import type { LimitClass, LimitName } from './limits.ts';
import type { Emission } from './method.ts';
import type { BrandHeader, httpPaths, PlainHeader } from './services.ts';

export type HttpEndpointName = keyof typeof httpPaths;
export type HttpVerb = 'GET' | 'HEAD' | 'POST';

/**
 * Who may call. `user`: callers with a live session. `object`: callers with a session, an object token or, if the path
 * requires one, a channel token. `none`: everybody.
 */
export type HttpAuth = 'user' | 'object' | 'none';

/**
 * The encoding of an answer:
 * - `envelope`: in the same envelope as an RPC result
 * - `hybrid`: in the envelope, with the result's fields repeated at the top
 * - `json`: the bare value
 * - `events`: a server-sent event stream
 * - `bytes`: the object itself
 */
export type ResponseForm = 'envelope' | 'hybrid' | 'json' | 'events' | 'bytes';

/**
 * An endpoint that is not an RPC. Its arguments are in the path, the query, headers, or a body with a form that only
 * this endpoint has.
 */
export interface HttpEndpoint {
  readonly summary: string;
  readonly path: string;
  /** Other paths at which the endpoint can be read. Uploads are possible only at `path`. */
  readonly alsoAt?: readonly string[];
  /** The server address that the path belongs to. */
  readonly base: 'gateway' | 'objects';
  /** The HTTP methods that the endpoint accepts, each with its limit class. */
  readonly verbs: { readonly [V in HttpVerb]?: LimitClass };
  readonly auth: HttpAuth;
  /**
   * True if a request must be signed. If false, a signature is not needed, but is verified if present. With `lenient`,
   * the signature may be absent if the server's signature mode is lenient.
   */
  readonly signed: boolean | 'lenient';
  /** True if the access token may come in the cookie `lct`. */
  readonly cookie?: true;
  readonly query?: TSchema;
  /** Headers of the protocol that the endpoint reads. */
  readonly headers?: readonly (BrandHeader | PlainHeader)[];
  /** Headers of HTTP that the endpoint reads. */
  readonly httpHeaders?: readonly string[];
  readonly body?: {
    readonly contentType: string;
    readonly schema?: TSchema;
    readonly doc?: string;
    /** The limit for the size of the body. If absent, the limit of RPC bodies applies. */
    readonly limit?: LimitName;
  };
  readonly response: { readonly form: ResponseForm; readonly schema?: TSchema; readonly doc: string };
  readonly errors: readonly ErrorName[];
  readonly emits?: readonly Emission[];
  /**
   * The reason why the endpoint exists. `compatibility`: clients call it, but the specification does not list it.
   * Absent: the specification lists it.
   */
  readonly origin?: 'compatibility';
}

/** The errors for a session that has ended and for an expired token. */
const NO_LONGER: readonly ErrorName[] = ['SESSION_LOGGED_OUT', 'MUST_REFRESH_V3_TOKEN'];

/**
 * Returns the HTTP status of an error. Clients of the stream and of objects read only the status, and not the error in
 * the body. So they get 401 when the session has ended or the token has expired.
 */
export function errorStatus(name: ErrorName, endpoint?: Pick<HttpEndpoint, 'base' | 'response'>): number {
  const byStatus = endpoint?.response.form === 'events' || endpoint?.base === 'objects';
  return byStatus && NO_LONGER.includes(name) ? 401 : errors[name].http;
}

/** Declares one endpoint that is not an RPC. */
export const http = <const O extends HttpEndpoint>(endpoint: O): O => endpoint;
