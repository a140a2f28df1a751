// The operator's client: the admin API of one server, with types from the contract.
import {
  type AdminArgs,
  type AdminEndpoint,
  type AdminEndpointName,
  type AdminResult,
  adminEndpointNames,
  adminEndpointOf,
  adminRoot,
} from '@sealpost/contract/admin';
import { type AdminAnswer, AdminError } from './gateway/admin-error.ts';
import { NetworkError } from './gateway/errors.ts';

export type {
  Account,
  AccountLogin,
  AccountSession,
  AdminArgs,
  AdminEndpointName,
  AdminResult,
  AuditEntry,
  Certificate,
  Notice,
  Product,
  Report,
} from '@sealpost/contract/admin';
export { type AdminAnswer, AdminError } from './gateway/admin-error.ts';

/** One HTTP request to the admin API. */
export interface AdminRequest {
  readonly method: AdminEndpoint['verb'];
  /** The path with the query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface AdminClientOptions {
  /** The address of the server, without a path. */
  readonly url: string;
  /** The server's `admin-token`. It gives power over every account: keep it where nobody else can read it. */
  readonly token: string;
  /**
   * Sends a request; default: `fetch`. The function must not follow redirects, which would send the token to another
   * server.
   */
  readonly send?: (request: AdminRequest) => Promise<AdminAnswer>;
}

/** The argument list of a method: empty, an optional object, or a required object. */
type CallArguments<Args> = unknown extends Args ? [] : Partial<Args> extends Args ? [args?: Args] : [args: Args];

/**
 * One method for each endpoint of the admin API, with the endpoint's name. Each method takes its arguments by name,
 * from the path, the query and the body alike, and returns the result. A refused call throws `AdminError`; a call
 * without an answer throws `NetworkError`.
 */
export type AdminClient = {
  readonly [N in AdminEndpointName]: (...args: CallArguments<AdminArgs<N>>) => Promise<AdminResult<N>>;
};

/** Creates the operator's client. It sends nothing before the first call. */
export function createAdminClient({ url, token, send = sendTo(url) }: AdminClientOptions): AdminClient {
  async function call(endpoint: AdminEndpoint, args: Args): Promise<unknown> {
    const path = pathOf(endpoint, args);
    const { headers, body } = bodyOf(endpoint, args);
    const answer = await send({
      method: endpoint.verb,
      path: path + queryOf(endpoint, args),
      headers: { Authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status < 200 || answer.status > 299) throw new AdminError(`${endpoint.verb} ${path}`, answer);
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  }
  const methods = adminEndpointNames.map((name) => [name, (args: Args = {}) => call(adminEndpointOf(name), args)]);
  return Object.fromEntries(methods) as AdminClient;
}

type Args = Readonly<Record<string, unknown>>;

const pathOf = ({ path }: AdminEndpoint, args: Args): string =>
  adminRoot + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));

function queryOf({ query }: AdminEndpoint, args: Args): string {
  const names = Object.keys(query?.properties ?? {}).filter((name) => args[name] !== undefined);
  return names.length === 0 ? '' : `?${new URLSearchParams(names.map((name) => [name, String(args[name])]))}`;
}

function bodyOf(
  { body }: AdminEndpoint,
  args: Args,
): Pick<AdminRequest, 'body'> & { headers: AdminRequest['headers'] } {
  if (!body) return { headers: {} };
  if ('contentType' in body)
    return { headers: { 'Content-Type': body.contentType }, body: new Uint8Array(args.content as Uint8Array) };
  const names = Object.keys(body.schema.properties);
  const fields = Object.fromEntries(names.map((name) => [name, args[name]]));
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) };
}

const sendTo =
  (url: string): NonNullable<AdminClientOptions['send']> =>
  async ({ method, path, headers, body }) => {
    const base = url.replace(/\/+$/, '');
    try {
      const response = await fetch(base + path, { method, headers, body: body ?? null, redirect: 'manual' });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      throw new NetworkError(`${method} ${path}`, base, cause);
    }
  };
