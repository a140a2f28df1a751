import type { TSchema } from 'typebox';
import { type ErrorName, errors } from './errors.ts';
import type { LimitClass, LimitName } from './limits.ts';
import type { Emission } from './method.ts';
import type { BrandHeader, httpPaths, PlainHeader } from './services.ts';

export type HttpEndpointName = keyof typeof httpPaths;
export type HttpVerb = 'GET' | 'HEAD' | 'POST';

/**
 * Who may call. `user` needs a live session. `object` needs a session, the object token, or the channel token where the
 * path asks for it. `none` needs no token.
 */
export type HttpAuth = 'user' | 'object' | 'none';

/**
 * How an answer is encoded:
 * - `envelope`: in the same envelope as an RPC result
 * - `hybrid`: in the envelope, with the result's fields repeated at the top
 * - `json`: the bare value
 * - `events`: a server-sent event stream
 * - `bytes`: the object itself
 */
export type ResponseForm = 'envelope' | 'hybrid' | 'json' | 'events' | 'bytes';

/** An endpoint that is not an RPC. Its arguments are in the path, the query, headers, or a body of its own form. */
export interface HttpEndpoint {
  readonly summary: string;
  readonly path: string;
  /** Other paths at which the endpoint can be read. Writing is possible only at `path`. */
  readonly alsoAt?: readonly string[];
  /** The server address that the path belongs to. */
  readonly base: 'gateway' | 'objects';
  /** The HTTP methods that the endpoint accepts, each with its limit class. */
  readonly verbs: { readonly [V in HttpVerb]?: LimitClass };
  readonly auth: HttpAuth;
  /**
   * Whether a request must be signed. With `false`, a signature is not needed, but is verified if present. With
   * `lenient`, it may be absent if the server's signature mode is lenient.
   */
  readonly signed: boolean | 'lenient';
  /** Whether the access token may come in the cookie `lct`. */
  readonly cookie?: true;
  readonly query?: TSchema;
  /** Headers of the protocol that matter to this endpoint. */
  readonly headers?: readonly (BrandHeader | PlainHeader)[];
  /** Headers of HTTP that matter to this endpoint. */
  readonly httpHeaders?: readonly string[];
  readonly body?: {
    readonly contentType: string;
    readonly schema?: TSchema;
    readonly doc?: string;
    /** The limit of the body's size. If absent, the limit of RPC bodies applies. */
    readonly limit?: LimitName;
  };
  readonly response: { readonly form: ResponseForm; readonly schema?: TSchema; readonly doc: string };
  readonly errors: readonly ErrorName[];
  readonly emits?: readonly Emission[];
  /**
   * The source of the endpoint. `compatibility`: clients call it, but the specification does not list it. Absent: it is
   * in the specification.
   */
  readonly origin?: 'compatibility';
}

/** The errors of ended sessions and of expired tokens. */
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
