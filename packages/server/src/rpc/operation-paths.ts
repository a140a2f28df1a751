// Which operation outside of RPC a path belongs to: by the whole path, or by a pattern such as `/r/{service}/{sid}/{oid}`.
import { type HttpOperation, type HttpOperationName, httpOperations } from '@sealpost/contract/schemas';

export interface FoundOperation {
  readonly name: HttpOperationName;
  /** The parts that the braces of the pattern stand for, as sent: nothing is decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export function createOperationPaths(): (path: string) => FoundOperation | undefined {
  const exact = new Map<string, FoundOperation>();
  const patterns: { readonly name: HttpOperationName; readonly form: RegExp }[] = [];
  for (const [key, operation] of Object.entries(httpOperations)) {
    const name = key as HttpOperationName;
    const { path, alsoAt = [] }: HttpOperation = operation;
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
