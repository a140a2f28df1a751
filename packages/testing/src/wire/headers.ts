// Headers as they went over the wire: pairs of name and value, in order.

export type Header = readonly string[];

/** Returns the first value of a header; undefined if the request does not have it. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([own]) => own?.toLowerCase() === wanted)?.[1];
}

/** Returns the names and values of a Cookie header. */
export function cookiesOf(header: string | undefined): readonly (readonly [name: string, value: string])[] {
  return (header ?? '').split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return at < 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()] as const];
  });
}

/** Turns Node's flat list of header names and values into pairs. */
export const pairsOf = (flat: readonly string[]): [name: string, value: string][] =>
  flat.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, flat[at + 1] ?? '']] : []));
