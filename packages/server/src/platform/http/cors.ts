// Decides which web pages of other origins may call the server, and makes the headers that tell their browsers so.

const SCHEME = /^[a-z][a-z0-9+.-]*$/;
const LABEL = /^(?:\*|[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)$/;
const PORT = /^(?:\*|\d{1,5})$/;

interface Origin {
  readonly scheme: string;
  readonly labels: readonly string[];
  readonly port: string;
}

function split(text: string): Origin | undefined {
  const [, scheme, host, port = ''] = /^([^:/]+):\/\/(\[[^\]/]*\]|[^:/[\]]+)(?::([^/]*))?$/.exec(text) ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  // An IPv6 address is not divided into labels.
  return { scheme, labels: host.startsWith('[') ? [host] : host.split('.'), port };
}

/**
 * Returns what is wrong with an allowed origin in the settings; undefined if it is valid. The entry `*` allows any
 * page. Any other entry is an origin as browsers send it. In such an entry, `*` may stand for one label of the host or
 * for the port.
 */
export function originFault(entry: string): string | undefined {
  if (entry === '*') return undefined;
  const origin = split(entry);
  if (!origin) return 'it is not scheme://host or scheme://host:port, without a path';
  const { scheme, labels, port } = origin;
  if (!SCHEME.test(scheme)) return `the scheme ${JSON.stringify(scheme)} is not one in small letters`;
  const odd = labels.find((label) => !LABEL.test(label) && !/^\[[0-9a-f:.]+\]$/.test(label));
  if (odd !== undefined) {
    return `the label ${JSON.stringify(odd)} is neither small letters, digits and hyphens nor a single *`;
  }
  if (port !== '' && !PORT.test(port)) return `the port ${JSON.stringify(port)} is neither a number nor a single *`;
  if (`${scheme}:${port}` === 'https:443' || `${scheme}:${port}` === 'http:80') {
    return `browsers leave out the port ${port} of ${scheme}: leave it out as well`;
  }
  return undefined;
}

function matcherOf(entry: string): (origin: Origin, text: string) => boolean {
  const pattern = entry.includes('*') ? split(entry) : undefined;
  if (!pattern) return (_origin, text) => text === entry;
  return ({ scheme, labels, port }) =>
    scheme === pattern.scheme &&
    (pattern.port === '*' || port === pattern.port) &&
    labels.length === pattern.labels.length &&
    pattern.labels.every((label, i) => label === '*' || label === labels[i]);
}

/**
 * Returns a function that makes the headers for pages of other origins. Pages of an origin that `allowed` names may
 * send cookies. The entry `*` lets all other pages call the server, but without cookies.
 */
export function corsFor(
  allowed: readonly string[],
  requestHeaders: readonly string[],
): (origin: string | undefined) => readonly string[] {
  const anybody = allowed.includes('*');
  const matchers = allowed.filter((entry) => entry !== '*').map(matcherOf);
  const common = [
    'Access-Control-Allow-Headers',
    requestHeaders.join(', '),
    'Access-Control-Allow-Methods',
    'GET, POST',
    'Access-Control-Max-Age',
    '600',
    'Vary',
    'Origin',
  ];
  return (text) => {
    if (text === undefined) return [];
    const origin = split(text);
    if (origin && matchers.some((matches) => matches(origin, text))) {
      return ['Access-Control-Allow-Origin', text, 'Access-Control-Allow-Credentials', 'true', ...common];
    }
    return anybody ? ['Access-Control-Allow-Origin', '*', ...common] : [];
  };
}
