// The form of an entry that declares an endpoint of the admin API.
import type { Static, TObject, TSchema } from 'typebox';
import type { Emission } from './method.ts';

/** A JSON body. If `optional` is set, the body may be absent, which means `{}`. */
interface JsonBody {
  readonly schema: TObject;
  readonly optional?: true;
}

/** A body of bytes. Callers pass the bytes as the argument `content`. */
interface BytesBody {
  readonly contentType: string;
  readonly doc: string;
  readonly limitBytes: number;
}

interface ResultBytes {
  readonly contentType: string;
  readonly doc: string;
}

/** The scopes that a token for machines can have, one or several. */
export const tokenScopes = ['read', 'accounts', 'moderation'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/**
 * Who may call an endpoint. A token for machines may call the endpoints of its scopes. The admin token of the server
 * and administrators may also call those of `server`. Only administrators may call those of `administrator`. Those of
 * `login` also accept an administrator who has not finished the login. Anybody may call those of `none`.
 */
export type AdminScope = TokenScope | 'server' | 'administrator' | 'login' | 'none';

/** An endpoint of the admin API. Each argument has a unique name across path, query and body. */
export interface AdminEndpoint {
  readonly summary: string;
  readonly verb: 'GET' | 'POST' | 'DELETE';
  /** The path below `adminRoot`. Names of arguments are written in braces. */
  readonly path: string;
  readonly query?: TObject;
  readonly body?: JsonBody | BytesBody;
  /** The schema of the result. If absent, a success has status 204 and no body. */
  readonly result?: TSchema;
  /** The bytes that a successful call returns instead of a JSON result. Callers get them as they arrive. */
  readonly resultBytes?: ResultBytes;
  /**
   * The field of the result that holds the id of the created thing. The answer's header Location is the request's path
   * followed by this id.
   */
  readonly location?: string;
  /** The HTTP status of success; 200 if absent. */
  readonly status?: 200 | 201;
  /** The refusals that only this endpoint has: the cause of each, by HTTP status. */
  readonly problems: Readonly<Record<number, string>>;
  /** The operations that the endpoint may append. In this list, `self` is the account in the path. */
  readonly emits?: readonly Emission[];
  /** Who may call the endpoint. */
  readonly scope: AdminScope;
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
  : E extends { readonly resultBytes: ResultBytes }
    ? AsyncIterable<Uint8Array>
    : undefined;

/** Returns the names of the arguments in a path. */
export const pathArgsOf = ({ path }: Pick<AdminEndpoint, 'path'>): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/**
 * Returns all refusals of an endpoint by HTTP status, including those that follow from its verb, path, body and
 * authentication.
 */
export function adminProblems(endpoint: AdminEndpoint): Readonly<Record<number, string>> {
  const { body, path, query, scope, verb } = endpoint;
  return {
    ...(query || body ? { 400: 'an argument is missing or has the wrong form' } : {}),
    ...(verb === 'GET' || body ? {} : { 400: 'the body is not JSON' }),
    ...(scope === 'none'
      ? {}
      : { 401: 'no admin token, or a wrong one', 403: 'the caller may not call this endpoint' }),
    ...(verb === 'GET' ? {} : { 413: 'the body is too large' }),
    ...(path.includes('{') ? { 414: 'a name in the path is too long' } : {}),
    415: 'the body has another type, or is compressed',
    ...(scope === 'none' ? {} : { 429: 'too many requests with wrong admin tokens from this address' }),
    500: 'a fault of the server; its log has the cause',
    503: 'the store does not answer, or its disk is full',
    ...endpoint.problems,
  };
}
