import type { TSchema } from 'typebox';
import { type ErrorName, errors } from './errors.ts';
import type { LimitClass, LimitName } from './limits.ts';
import type { Emission } from './method.ts';
import type { BrandHeader, httpPaths, PlainHeader } from './services.ts';

export type HttpEndpointName = keyof typeof httpPaths;
export type HttpVerb = 'GET' | 'HEAD' | 'POST';

/**
 * Who may call: `user` needs a live session, `object` takes the object token too, or the channel token where the path
 * asks for it; `none` needs neither.
 */
export type HttpAuth = 'user' | 'object' | 'none';

/**
 * How the bytes of an answer are made of the schema: `envelope` as for RPC; `hybrid` the same with the result's fields
 * repeated at the top; `json` the bare value; `events` a server-sent event stream; `bytes` the object itself.
 */
export type ResponseForm = 'envelope' | 'hybrid' | 'json' | 'events' | 'bytes';

/** An endpoint that is no RPC: its arguments are in the path, the query, headers, or a body of its own form. */
export interface HttpEndpoint {
  readonly summary: string;
  readonly path: string;
  /** Other paths at which the same is read; it is written at `path` alone. */
  readonly alsoAt?: readonly string[];
  /** Which address the path is under. */
  readonly base: 'gateway' | 'objects';
  /** The verbs served, each with its limit class. */
  readonly verbs: { readonly [V in HttpVerb]?: LimitClass };
  readonly auth: HttpAuth;
  /** `false`: needs none, one that is there is verified. `lenient`: may be absent where signatures are lenient. */
  readonly signed: boolean | 'lenient';
  /** The access token may come in the cookie `lct`. */
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
    /** The most bytes that it may have; that of an RPC if not given. */
    readonly limit?: LimitName;
  };
  readonly response: { readonly form: ResponseForm; readonly schema?: TSchema; readonly doc: string };
  readonly errors: readonly ErrorName[];
  readonly emits?: readonly Emission[];
  /** `specification` unless clients call it and the specification does not list it. */
  readonly origin?: 'compatibility';
}

/** Of sessions that are over and tokens that are too old. */
const NO_LONGER: readonly ErrorName[] = ['SESSION_LOGGED_OUT', 'MUST_REFRESH_V3_TOKEN'];

/**
 * The HTTP status of an error. Whoever opens the stream or asks for an object goes by the status alone, so there 401 says
 * what the callers of methods find in the body.
 */
export function errorStatus(name: ErrorName, endpoint?: Pick<HttpEndpoint, 'base' | 'response'>): number {
  const byStatus = endpoint?.response.form === 'events' || endpoint?.base === 'objects';
  return byStatus && NO_LONGER.includes(name) ? 401 : errors[name].http;
}

/** Declares one endpoint that is no RPC. */
export const http = <const O extends HttpEndpoint>(endpoint: O): O => endpoint;
