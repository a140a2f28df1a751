// The form of an entry of the admin API.
import type { Static, TObject, TSchema } from 'typebox';
import type { Emission } from './method.ts';

/** A JSON body. If `optional` is set, the body may be absent, which means `{}`. */
interface JsonBody {
  readonly schema: TObject;
  readonly optional?: true;
}

/** A body of bytes, given as the argument `content`. */
interface BytesBody {
  readonly contentType: string;
  readonly doc: string;
  readonly limitBytes: number;
}

/** An endpoint of the admin API. Each argument has a unique name across path, query and body. */
export interface AdminEndpoint {
  readonly summary: string;
  readonly verb: 'GET' | 'POST' | 'DELETE';
  /** The path below `adminRoot`, with arguments in braces. */
  readonly path: string;
  readonly query?: TObject;
  readonly body?: JsonBody | BytesBody;
  /** The schema of the result. If absent, a success has status 204 and no body. */
  readonly result?: TSchema;
  /**
   * The field of the result that holds the id of the new thing. The header Location is the request's path with this id.
   */
  readonly location?: string;
  /** The HTTP status of success; 200 if absent. */
  readonly status?: 200 | 201;
  /** The refusals that only this endpoint has, by HTTP status. */
  readonly problems: Readonly<Record<number, string>>;
  /** The operations that the endpoint may append. In them, `self` is the account in the path. */
  readonly emits?: readonly Emission[];
  /** `none`: the endpoint needs no admin token. */
  readonly auth?: 'none';
}

/**
 * Declares one endpoint of the admin API. The server, its clients and the documents derive everything about the
 * endpoint from this entry.
 */
export const adminEndpoint = <const E extends AdminEndpoint>(endpoint: E): E => endpoint;

type PathArgs<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string } & PathArgs<Rest>
  : unknown;
type QueryArgs<E> = E extends { readonly query: infer S extends TObject } ? Static<S> : unknown;
type BodyArgs<E> = E extends { readonly body: { readonly schema: infer S extends TObject } }
  ? Static<S>
  : E extends { readonly body: { readonly contentType: string } }
    ? { readonly content: Uint8Array }
    : unknown;

/** The arguments of an endpoint by name, from its path, query and body. */
export type AdminArgsOf<E extends AdminEndpoint> = PathArgs<E['path']> & QueryArgs<E> & BodyArgs<E>;
export type AdminResultOf<E extends AdminEndpoint> = E extends { readonly result: infer S extends TSchema }
  ? Static<S>
  : undefined;

/** Returns the names of the arguments in a path. */
export const pathArgsOf = ({ path }: Pick<AdminEndpoint, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/**
 * Returns all refusals of an endpoint by HTTP status: the endpoint's own, and those that follow from its verb, path,
 * body and authentication.
 */
export function adminProblems(endpoint: AdminEndpoint): Readonly<Record<number, string>> {
  const { auth, body, path, query, verb } = endpoint;
  return {
    ...(query || body ? { 400: 'an argument is missing or has the wrong form' } : {}),
    ...(auth === 'none' ? {} : { 401: 'the admin token is missing or wrong' }),
    ...(verb === 'GET' ? {} : { 413: 'the body is too large' }),
    ...(path.includes('{') ? { 414: 'a name in the path is too long' } : {}),
    415: 'the body has another type, or is compressed',
    ...(auth === 'none' ? {} : { 429: 'too many requests with wrong admin tokens from this address' }),
    500: 'a fault of the server; its log has the cause',
    503: 'the store does not answer, or its disk is full',
    ...endpoint.problems,
  };
}
