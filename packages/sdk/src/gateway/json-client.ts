// Calls of endpoints with JSON bodies, as the contract declares them: those of the admin API and those of the workbench.
import type { AdminEndpoint } from '@sealpost/contract/admin';
import { type AdminAnswer, AdminError, jsonIn } from './admin-error.ts';
import { NetworkError } from './errors.ts';

/** One HTTP request to an endpoint. */
export interface JsonRequest {
  readonly method: AdminEndpoint['verb'];
  /** The path with the query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** True if a success has bytes. The answer then has these bytes as `content`, and its text is empty. */
  readonly bytes?: true;
}

/** Sends a request. It must not follow redirects, which would send a token to another server. */
export type SendJson = (request: JsonRequest) => Promise<AdminAnswer>;

export interface JsonClientOptions {
  /** The beginning of the path of every endpoint. */
  readonly root: string;
  readonly endpoints: Readonly<Record<string, AdminEndpoint>>;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly send: SendJson;
}

type Args = Readonly<Record<string, unknown>>;

/** Returns one function for each endpoint, by its name. Each takes its arguments by name. */
export function createJsonClient({ root, endpoints, headers, send }: JsonClientOptions): Record<string, unknown> {
  async function call(endpoint: AdminEndpoint, args: Args): Promise<unknown> {
    const path = root + pathOf(endpoint, args);
    const { headers: own, body } = bodyOf(endpoint, args);
    const answer = await send({
      method: endpoint.verb,
      path: path + queryOf(endpoint, args),
      headers: { ...headers, ...own },
      ...(body === undefined ? {} : { body }),
      ...(endpoint.resultBytes && { bytes: true }),
    });
    const refused = (): AdminError => new AdminError(`${endpoint.verb} ${path}`, answer, root);
    if (answer.status < 200 || answer.status > 299) throw refused();
    if (endpoint.resultBytes) {
      if (!answer.content)
        throw new Error(`${endpoint.verb} ${path} answers with bytes, and \`send\` did not pass them on.`);
      return answer.content;
    }
    if (answer.text === '') return undefined;
    const value = jsonIn(answer.text);
    if (value === undefined) throw refused();
    return value;
  }
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, endpoint]) => [name, (args: Args = {}) => call(endpoint, args)]),
  );
}

const pathOf = ({ path }: AdminEndpoint, args: Args): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));

function queryOf({ query }: AdminEndpoint, args: Args): string {
  const names = Object.keys(query?.properties ?? {}).filter((name) => args[name] !== undefined);
  return names.length === 0 ? '' : `?${new URLSearchParams(names.map((name) => [name, String(args[name])]))}`;
}

function bodyOf({ body }: AdminEndpoint, args: Args): Pick<JsonRequest, 'body'> & { headers: JsonRequest['headers'] } {
  if (!body) return { headers: {} };
  if ('contentType' in body)
    return { headers: { 'Content-Type': body.contentType }, body: new Uint8Array(args.content as Uint8Array) };
  const names = Object.keys(body.schema.properties);
  const fields = Object.fromEntries(names.map((name) => [name, args[name]]));
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) };
}

/** Sends requests to a server with `fetch`. */
export const sendTo =
  (url: string): SendJson =>
  async ({ method, path, headers, body, bytes }) => {
    const base = url.replace(/\/+$/, '');
    const failed = (cause: unknown): never => {
      throw new NetworkError(`${method} ${path}`, base, cause);
    };
    try {
      const response = await fetch(base + path, { method, headers, body: body ?? null, redirect: 'manual' });
      if (bytes && response.ok) return { status: response.status, text: '', content: contentOf(response, failed) };
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      return failed(cause);
    }
  };

/** Yields the body of a response as it arrives. If the caller stops early, the connection is closed. */
async function* contentOf({ body }: Response, failed: (cause: unknown) => never): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(failed);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The argument list of a method: empty, an optional object, or a required object. */
export type CallArguments<Args> = unknown extends Args ? [] : Partial<Args> extends Args ? [args?: Args] : [args: Args];
