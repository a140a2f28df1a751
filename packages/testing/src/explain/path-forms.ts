// The texts that a client may sign by mistake in place of the path of its request.

export interface PathForm {
  readonly cause: string;
  readonly path: string;
}

export interface PathSurroundings {
  /** The hosts at which clients may reach the server, each with its port. */
  readonly hosts: readonly string[];
  /** Prefixes that a proxy in front of the server may remove from the path. */
  readonly prefixes: readonly string[];
}

/** Maximum number of query parameters for which every order is tried: 4 have 24 orders. */
const MOST_PERMUTED = 4;

/** Returns what a client may have signed in place of a path. `path` includes the query, as the server received it. */
export function pathForms(path: string, { hosts, prefixes }: PathSurroundings): PathForm[] {
  const at = path.indexOf('?');
  const [bare, query] = at < 0 ? [path, undefined] : [path.slice(0, at), path.slice(at + 1)];
  const rest = query === undefined ? '' : `?${query}`;
  const forms: PathForm[] = [
    ...(query === undefined ? [] : [{ cause: 'the query is not part of what was signed', path: bare }]),
    ...(query === undefined ? [{ cause: 'a question mark was signed after the path', path: `${path}?` }] : []),
    ...encodings(bare).map(({ cause, path: other }) => ({ cause, path: other + rest })),
    ...(query === undefined ? [] : queryForms(query).map(({ cause, path: other }) => ({ cause, path: bare + other }))),
    ...withoutPrefix(bare).map((other) => ({ cause: 'the path was signed without its beginning', path: other + rest })),
    ...['/api', ...prefixes].map((prefix) => ({
      cause: `the path was signed with ${prefix} in front, which the server did not receive`,
      path: prefix + path,
    })),
    { cause: 'the path was signed with a slash at its end', path: `${bare}/${rest}` },
    { cause: 'the path was signed without the slash at its beginning', path: path.slice(1) },
    ...hosts.flatMap((host) => [
      ...['http', 'https'].map((scheme) => ({
        cause: 'the whole address was signed, not only path and query',
        path: `${scheme}://${host}${path}`,
      })),
      { cause: 'the host was signed in front of the path', path: host + path },
    ]),
  ];
  const seen = new Set([path]);
  return forms.filter((form) => !seen.has(form.path) && seen.add(form.path));
}

/** Returns what remains of a path from each slash after the first. */
const withoutPrefix = (bare: string): string[] =>
  [...bare.matchAll(/\//g)].slice(1).map(({ index }) => bare.slice(index));

const strict = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Functions that encode a text as the encoders of several programming languages do. */
const writers: readonly ((text: string) => string)[] = [
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams({ a: text }).toString().slice(2),
  strict,
  (text) => strict(text).replaceAll('%20', '+'),
  (text) => encodeURI(text),
  (text) => encodeURIComponent(text).replaceAll('%2F', '/'),
  (text) => text,
];

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns the path with its parts encoded in other ways. */
function encodings(bare: string): PathForm[] {
  const parts = bare.split('/');
  const forms = writers.map((write) => parts.map((part) => write(decoded(part) ?? part)).join('/'));
  const lower = bare.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [...forms, lower].map((path) => ({ cause: 'the path was signed with other percent-encoding', path }));
}

type Parameter = readonly [name: string, value: string | undefined];

function queryForms(query: string): PathForm[] {
  const parameters = query.split('&').map((part): Parameter => {
    const at = part.indexOf('=');
    return at < 0 ? [part, undefined] : [part.slice(0, at), part.slice(at + 1)];
  });
  const same = (text: string): string => text;
  const others = writers.map((write) => (text: string) => write(decoded(text.replaceAll('+', ' ')) ?? text));
  const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return orders(parameters).flatMap((ordered, n) =>
    [same, ...others, lower].map((encode, m) => ({
      cause: [
        n > 0 && 'the query was signed in another order',
        m > 0 && 'the query was signed with other percent-encoding',
      ]
        .filter(Boolean)
        .join(', and '),
      path: `?${ordered.map(([name, value]) => (value === undefined ? encode(name) : `${encode(name)}=${encode(value)}`)).join('&')}`,
    })),
  );
}

/** Returns the orders of parameters to try, the given order first. */
function orders(parameters: readonly Parameter[]): (readonly Parameter[])[] {
  if (parameters.length <= MOST_PERMUTED) return permutations(parameters);
  const byName = parameters.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [parameters, byName, byName.toReversed(), parameters.toReversed()];
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
