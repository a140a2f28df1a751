// Which operation outside of RPC a path belongs to: by the whole path, or by a pattern such as
// `/stickershop/v1/sticker/{sticker}/android/sticker.png`.
import { type HttpOperation, type HttpOperationName, httpOperations } from '@sealpost/contract/schemas';
import type { ObjectPath } from './object-paths.ts';

export type GatewayOperationName = Exclude<HttpOperationName, ObjectPath['operation']>;

export interface FoundOperation {
  readonly name: GatewayOperationName;
  /** The parts that the braces of the pattern stand for, as sent: nothing is decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export function createOperationPaths(): (path: string) => FoundOperation | undefined {
  const exact = new Map<string, FoundOperation>();
  const patterns: { readonly name: GatewayOperationName; readonly form: RegExp }[] = [];
  for (const [key, operation] of Object.entries(httpOperations)) {
    const { base, path, alsoAt = [] }: HttpOperation = operation;
    if (base !== 'gateway') continue;
    const name = key as GatewayOperationName;
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
