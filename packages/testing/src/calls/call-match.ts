// Checks whether a filter selects a call.
import type { CallMatch } from '@sealpost/contract/workbench';

/** The properties of a call that filters check. */
export interface MatchedCall {
  readonly endpoint?: string | undefined;
  readonly mid?: string | undefined;
  readonly userid?: string | undefined;
  readonly path: string;
}

/** Returns a function that checks calls against a filter. A call must match every given field of the filter. */
export function matcher({ method, account, path }: CallMatch): (call: MatchedCall) => boolean {
  const named = method === undefined ? () => true : nameMatcher(method);
  return (call) =>
    named(call.endpoint) &&
    (account === undefined || call.mid === account || call.userid === account) &&
    (path === undefined || call.path.startsWith(path));
}

/**
 * Returns a function that checks endpoint names against a pattern. `*` stands for any characters. A pattern without a
 * service matches the methods of that name in every service.
 */
function nameMatcher(pattern: string): (endpoint: string | undefined) => boolean {
  const source = pattern.split('*').map(literal).join('.*');
  const expression = new RegExp(`^(?:\\w+\\.)?${source}$`);
  return (endpoint) => endpoint !== undefined && expression.test(endpoint);
}

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
