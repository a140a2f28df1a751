// The texts that encoders of other languages write for the same JSON value.

export interface JsonForm {
  /** A description of how the text was written. It follows the words "the body was encoded anew: ". */
  readonly description: string;
  readonly text: string;
}

/** A piece of a JSON text: a string, a bracket, a comma, a colon, or a bare word such as a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Returns the pieces of a JSON text, without the spaces between them. */
export const jsonTokens = (text: string): string[] => text.match(TOKEN) ?? [];

interface Spacing {
  readonly description: string;
  readonly comma: string;
  readonly colon: string;
  readonly indent?: string;
}

const spacings: readonly Spacing[] = [
  { description: 'without spaces', comma: ',', colon: ':' },
  { description: 'with a space after each comma and colon', comma: ', ', colon: ': ' },
  { description: 'with a space after each colon', comma: ',', colon: ': ' },
  { description: 'with a space after each comma', comma: ', ', colon: ':' },
  { description: 'indented by two spaces', comma: ',', colon: ': ', indent: '  ' },
  { description: 'indented by four spaces', comma: ',', colon: ': ', indent: '    ' },
  { description: 'indented by tabs', comma: ',', colon: ': ', indent: '\t' },
];

interface Escaping {
  /** A text that is appended to the description of the spacing; empty for the plain form. */
  readonly description: string;
  readonly escape: (json: string) => string;
}

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0');
const beyondAscii = /[\u0080-\uffff]/g;
const escapings: readonly Escaping[] = [
  { description: '', escape: (json) => json },
  {
    description: ', with \\u escapes for characters outside of ASCII',
    escape: (json) => json.replace(beyondAscii, (character) => `\\u${hexOf(character)}`),
  },
  {
    description: ', with \\u escapes in capital letters for characters outside of ASCII',
    escape: (json) => json.replace(beyondAscii, (character) => `\\u${hexOf(character).toUpperCase()}`),
  },
  {
    description: ', with \\u escapes for <, > and &',
    escape: (json) => json.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${hexOf(character)}`),
  },
  { description: ', with \\/ for each slash', escape: (json) => json.replaceAll('/', '\\/') },
  {
    description: ', with \\/ for each slash and \\u escapes for characters outside of ASCII',
    escape: (json) => json.replaceAll('/', '\\/').replace(beyondAscii, (character) => `\\u${hexOf(character)}`),
  },
];

/**
 * Returns other texts for the value of a JSON text: with other spaces, escapes, numbers or order of keys. Returns
 * nothing if the text is not JSON.
 */
export function jsonForms(text: string): JsonForm[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const forms: JsonForm[] = allForms(jsonTokens(text), '');
  forms.push({ description: 'by JSON.stringify, which also changes numbers', text: JSON.stringify(value) });
  forms.push(...allForms(jsonTokens(JSON.stringify(sorted(value))), 'with sorted keys, '));
  const seen = new Set([text]);
  return forms.filter((form) => !seen.has(form.text) && seen.add(form.text));
}

const allForms = (tokens: readonly string[], order: string): JsonForm[] =>
  spacings.flatMap((spacing) =>
    escapings.map((escaping) => ({
      description: `${order}${spacing.description}${escaping.description}`,
      text: written(tokens, spacing, escaping),
    })),
  );

function written(tokens: readonly string[], { comma, colon, indent }: Spacing, { escape: escaped }: Escaping): string {
  let text = '';
  let depth = 0;
  const line = (): string => (indent === undefined ? '' : `\n${indent.repeat(depth)}`);
  for (const [at, token] of tokens.entries()) {
    const isEmpty = (token === '}' || token === ']') && /[{[]/.test(tokens[at - 1] ?? '');
    if (token === '{' || token === '[') {
      depth += 1;
      const next = tokens[at + 1];
      text += token + (next === '}' || next === ']' ? '' : line());
    } else if (token === '}' || token === ']') {
      depth -= 1;
      text += (isEmpty ? '' : line()) + token;
    } else if (token === ',') text += comma + line();
    else if (token === ':') text += colon;
    else text += token.startsWith('"') ? escaped(JSON.stringify(JSON.parse(token))) : token;
  }
  return text;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
