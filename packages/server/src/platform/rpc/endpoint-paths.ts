// Finds the endpoint outside of RPC that serves a path. The contract declares whole paths and patterns such as
// `/stickershop/v1/sticker/{sticker}/android/sticker.png`.
import { type HttpEndpoint, type HttpEndpointName, httpEndpoints } from '@sealpost/contract/schemas';
import type { ObjectPath } from './object-paths.ts';

export type GatewayEndpointName = Exclude<HttpEndpointName, ObjectPath['endpoint']>;

export interface FoundEndpoint {
  readonly name: GatewayEndpointName;
  /** The parts of the path that match the braces of the pattern, without decoding. */
  readonly params: Readonly<Record<string, string>>;
}

export function createEndpointPaths(): (path: string) => FoundEndpoint | undefined {
  const exact = new Map<string, FoundEndpoint>();
  const patterns: { readonly name: GatewayEndpointName; readonly form: RegExp }[] = [];
  for (const [key, endpoint] of Object.entries(httpEndpoints)) {
    const { base, path, alsoAt = [] }: HttpEndpoint = endpoint;
    if (base !== 'gateway') continue;
    const name = key as GatewayEndpointName;
    for (const one of [path, ...alsoAt]) {
      if (one.includes('{')) patterns.push({ name, form: formOf(one) });
      else exact.set(one, { name, params: {} });
    }
  }
  return (path) => {
    const found = exact.get(path);
    if (found) return found;
    for (const { name, form } of patterns) {
      const match = form.exec(path);
      if (match) return { name, params: { ...match.groups } };
    }
    return undefined;
  };
}

const formOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
