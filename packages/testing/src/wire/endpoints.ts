// Finds the endpoint of a request, and its arguments by name.
import { pathOf, type ServiceName } from '@sealpost/contract';
import {
  type HttpEndpoint,
  type HttpEndpointName,
  httpEndpoints,
  type Method,
  type MethodName,
  methodNames,
  methodOf,
} from '@sealpost/contract/schemas';
import { isStruct, parsedJson, type Struct } from './loose-json.ts';

/** The endpoint that serves a path. */
export type FoundEndpoint =
  | { readonly kind: 'method'; readonly name: MethodName; readonly entry: Method }
  | {
      readonly kind: 'http';
      readonly name: HttpEndpointName;
      readonly entry: HttpEndpoint;
      /** The parts of the path that match the braces of the pattern, decoded. */
      readonly parts: Struct;
    };

const methods = new Map<string, MethodName>();
for (const name of methodNames) {
  const method = methodOf(name);
  const path = pathOf(name as `${ServiceName}.${string}`);
  for (const one of [path, ...(method.doubledPrefix ? [`/api${path}`] : []), ...(method.alsoAt ?? [])]) {
    methods.set(one, name);
  }
}

const formOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

const others = Object.entries(httpEndpoints).flatMap(([key, entry]: [string, HttpEndpoint]) =>
  [entry.path, ...(entry.alsoAt ?? [])].map((path) => ({ name: key as HttpEndpointName, entry, form: formOf(path) })),
);

/** Splits a path with query at its question mark. */
export function splitPath(path: string): { readonly bare: string; readonly query: URLSearchParams } {
  const at = path.indexOf('?');
  return at < 0
    ? { bare: path, query: new URLSearchParams() }
    : { bare: path.slice(0, at), query: new URLSearchParams(path.slice(at + 1)) };
}

/** Returns the endpoint that serves a path; undefined if none does. The path may have a query. */
export function endpointAt(path: string): FoundEndpoint | undefined {
  const { bare } = splitPath(path);
  const method = methods.get(bare);
  if (method !== undefined) return { kind: 'method', name: method, entry: methodOf(method) };
  for (const { name, entry, form } of others) {
    const match = form.exec(bare);
    if (match) return { kind: 'http', name, entry, parts: decodedParts(match.groups ?? {}) };
  }
  return undefined;
}

/**
 * Returns the method whose name equals the last part of a path in any letter case, with the method's own path. Returns
 * undefined if no method has that name.
 */
export function similarMethod(path: string): { readonly name: MethodName; readonly path: string } | undefined {
  const last = splitPath(path).bare.split('/').at(-1)?.toLowerCase();
  const found = [...methods].find(([, name]) => name.split('.')[1]?.toLowerCase() === last);
  return found && { path: found[0], name: found[1] };
}

function decodedParts(parts: Readonly<Record<string, string>>): Struct {
  return Object.fromEntries(
    Object.entries(parts).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}

/**
 * Returns the arguments of a request by name. Arguments of a method come from its body; those of other endpoints from
 * path, query and JSON body. Returns undefined if the body of a method is not a list.
 */
export function argsOf(found: FoundEndpoint, path: string, body: Uint8Array): Record<string, unknown> | undefined {
  const value = body.length === 0 ? undefined : parsedJson(new TextDecoder().decode(body));
  if (found.kind === 'method') return Array.isArray(value) ? namedArgs(found.entry, value) : undefined;
  const query = Object.fromEntries(splitPath(path).query);
  return { ...found.parts, ...query, ...(isStruct(value) && found.entry.body?.schema ? value : {}) };
}

function namedArgs({ args, alsoTakes }: Method, given: readonly unknown[]): Record<string, unknown> {
  const form = alsoTakes?.find((candidate) => candidate.matches(given));
  const values = form ? form.canonical(given) : given;
  return Object.fromEntries(values.map((value, at) => [args[at]?.name ?? `argument ${at + 1}`, value]));
}
