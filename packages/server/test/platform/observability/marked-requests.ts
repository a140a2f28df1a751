// Requests to every endpoint of the contract, with a mark in every text that a client may choose. What an operator reads
// must not have the mark.
import { brandHeaders, pathOf, plainHeaders } from '@sealpost/contract';
import { adminEndpoints, adminRoot } from '@sealpost/contract/admin';
import { type HttpEndpoint, httpEndpoints, methodNames, methodOf } from '@sealpost/contract/schemas';

export const MARK = 'c4n4ry-of-the-test';
/** The part of the mark that also the shortest arguments have. */
export const FOUND = 'c4n4';

/** The parts of a schema that matter for a marked value. */
interface Shape {
  readonly type?: string;
  readonly maxLength?: number;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape | readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
}

/** Returns a value of a schema that has the mark in every text. */
function marked({
  const: fixed,
  enum: some,
  anyOf,
  type,
  maxLength,
  items,
  properties,
  patternProperties,
}: Shape): unknown {
  if (fixed !== undefined) return fixed;
  if (some) return some[0];
  if (anyOf?.[0]) return marked(anyOf[0]);
  if (type === 'string') return MARK.slice(0, maxLength);
  if (type === 'boolean') return true;
  if (type === 'array') return items === undefined ? [] : [items].flat().map(marked);
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, marked(shape)]));
  const [values] = Object.values(patternProperties ?? {});
  return values ? { [MARK]: marked(values) } : 7;
}

const queryFrom = (schema: Shape | undefined): string => {
  const fields = Object.entries(schema?.properties ?? {}).map(([name, shape]): [string, string] => [
    name,
    String(marked(shape)),
  ]);
  return `?${new URLSearchParams([...fields, [MARK, MARK]])}`;
};

/** Headers that a client may send, each with the mark. */
export const markedHeaders = {
  ...Object.fromEntries(Object.values(brandHeaders).map(({ rest }) => [`X-Svc-${rest}`, MARK])),
  ...Object.fromEntries(Object.values(plainHeaders).map(({ name }) => [name, MARK])),
  ...{ 'User-Agent': MARK, Referer: `https://${MARK}.example/`, Cookie: `lct=${MARK}`, 'X-Request-Id': MARK },
  ...{
    traceparent: MARK,
    tracestate: `${MARK}=1`,
    'X-Forwarded-For': MARK,
    'Last-Event-ID': MARK,
    'If-None-Match': MARK,
  },
};

export interface Asked {
  readonly path: string;
  readonly verb: string;
  readonly body?: string;
  readonly type?: string;
}

/** Returns requests to all endpoints of the contract. */
export function requests(): readonly Asked[] {
  const rpc = methodNames.map((name) => ({
    path: pathOf(name) + queryFrom(undefined),
    verb: 'POST',
    body: JSON.stringify(methodOf(name).args.map(({ schema }) => marked(schema))),
  }));
  // Object storage serves only places that it knows.
  const inPath = (path: string) => path.replace('{service}/{sid}', 'talk/emf').replaceAll(/\{\w+\}/g, MARK);
  const http = Object.values<HttpEndpoint>(httpEndpoints).flatMap(({ path, verbs, query, body }) =>
    Object.keys(verbs).map((verb) => ({
      path: inPath(path) + queryFrom(query),
      verb,
      ...(verb === 'POST' && { body: JSON.stringify(marked(body?.schema ?? {})), type: body?.contentType }),
    })),
  );
  const admin = Object.values(adminEndpoints).map(({ path, verb, ...more }) => ({
    path: adminRoot + inPath(path) + queryFrom('query' in more ? more.query : undefined),
    verb,
    ...(verb === 'POST' && {
      body: JSON.stringify('body' in more && 'schema' in more.body ? marked(more.body.schema) : {}),
    }),
  }));
  const elsewhere = ['/', '/livez', '/metrics', `/${MARK}`, `/api/${MARK}`, `/r/${MARK}/${MARK}`, `/docs/${MARK}`];
  return [...rpc, ...http, ...admin, ...elsewhere.map((path) => ({ path, verb: 'GET' }))];
}

/** Sends a request. The content of the answer does not matter. */
export async function ask(
  url: string,
  { path, verb, body, type }: Asked,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const answer = await fetch(url + path, {
    method: verb,
    headers: { 'Content-Type': type ?? 'application/json', ...headers },
    ...(body !== undefined && { body }),
    redirect: 'manual',
  });
  await answer.body?.cancel();
  return answer;
}
