// The headers that a proxy passes on.
import { pairsOf } from '../wire/headers.ts';

/** Headers about a single connection. A proxy does not pass them on, because its other connection has its own. */
const OF_CONNECTION = /^(?:connection|keep-alive|proxy-connection|upgrade)$/i;

const flat = (pairs: readonly (readonly [string, string])[]): string[] => pairs.flat();

/** Returns the headers for the gateway: those of the client, but with the gateway's host. */
export function towardGateway(rawHeaders: readonly string[], host: string, verb: string): string[] {
  const own = pairsOf(rawHeaders).filter(([name]) => !OF_CONNECTION.test(name) && !/^host$/i.test(name));
  // Without this header, Node would announce a body of unknown length.
  const hasBody = own.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const length = hasBody || /^(GET|HEAD|DELETE|OPTIONS)$/.test(verb) ? [] : [['Content-Length', '0'] as const];
  return flat([['Host', host], ...own, ...length, ['Connection', 'close']]);
}

/** Returns the headers for the client. */
export const towardClient = (rawHeaders: readonly string[]): string[] =>
  flat(pairsOf(rawHeaders).filter(([name]) => !OF_CONNECTION.test(name)));
