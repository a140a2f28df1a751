// Remembers secrets, and replaces them by placeholders: the same secret by the same placeholder.
import { parsedJson } from '../wire/loose-json.ts';
import { type SecretRole, secretField } from './secret-places.ts';

/**
 * Minimum length of a secret that is replaced inside other texts. A shorter secret is replaced only where it is the
 * whole value.
 */
const SHORT = 8;
/** Minimum number of digits of a number that counts as a secret, because many numbers are small. */
const SHORTEST_NUMBER = 4;
const PLACEHOLDER = /^redacted-([a-z-]+)-\d+$/;

/** Returns the role of the secret that a placeholder stands for; undefined if a text is not a placeholder. */
export const placeholderRole = (text: string): string | undefined => PLACEHOLDER.exec(text)?.[1];

/** Matches a name and its value in text that is not complete JSON. The text may end inside the value. */
const LOOSE_FIELD = /"((?:[^"\\]|\\.)*)"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)("|\\?$)|(-?\d[\d.]*))/g;
/** Matches a name and its value in a form, a query, or a line of text. */
const PARAMETER = /(?<=^|[?&;\s])([\w-]+)=([^&;\s"'<>]+)/g;

export class Vault {
  readonly #placeholders = new Map<string, string>();
  readonly #counts = new Map<SecretRole, number>();
  /**
   * Each text to look for with its placeholder, the longest first; undefined after a new secret, to be computed again.
   */
  #searched: readonly (readonly [text: string, placeholder: string])[] | undefined;

  /** Number of secrets of each role. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  /** Returns the placeholder of a secret, a new one if the secret is new. */
  learn(role: SecretRole, value: string): string {
    if (value === '' || PLACEHOLDER.test(value)) return value;
    const known = this.#placeholders.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(role) ?? 0) + 1;
    this.#counts.set(role, count);
    const placeholder = `redacted-${role}-${count}`;
    this.#placeholders.set(value, placeholder);
    // A signature need not be searched for, because no other text contains it.
    if (role !== 'signature') this.#searched = undefined;
    return placeholder;
  }

  /** Learns the secrets of a text that shows their names: fields in incomplete JSON, and parameters. */
  learnLoosely(text: string): void {
    for (const [, name = '', , value, , number] of text.matchAll(LOOSE_FIELD)) {
      const role = secretField(name);
      if (role) this.learn(role, unescaped(value ?? number ?? ''));
    }
    for (const [, name = '', value = ''] of text.matchAll(PARAMETER)) {
      const role = secretField(name);
      if (role) this.learn(role, decoded(value));
    }
  }

  /** Returns the whole value of a header, a parameter or a string in JSON, without secrets. */
  cleanValue(value: string): string {
    return this.#placeholders.get(value) ?? this.cleanText(value);
  }

  /** Returns any text without secrets. Short secrets are found only in known places, longer ones anywhere. */
  cleanText(text: string): string {
    const known = (name: string, value: string) => secretField(name) && this.#placeholders.get(value);
    let clean = text
      .replace(LOOSE_FIELD, (whole, name: string, colon: string, value?: string, end?: string, number?: string) => {
        const placeholder = known(name, unescaped(value ?? number ?? ''));
        return placeholder ? `"${name}"${colon}"${placeholder}${end ?? '"'}` : whole;
      })
      .replace(PARAMETER, (whole, name: string, value: string) => {
        const placeholder = known(name, decoded(value));
        return placeholder ? `${name}=${placeholder}` : whole;
      });
    this.#searched ??= this.#allSearched();
    for (const [secret, placeholder] of this.#searched) clean = clean.replaceAll(secret, placeholder);
    return clean;
  }

  /** Returns JSON text without secrets. Everything else stays as it was written. */
  cleanJson(text: string): string {
    if (parsedJson(text) === undefined) return this.cleanText(text);
    return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
      if (!token.startsWith('"')) {
        const known = token.length < SHORTEST_NUMBER ? undefined : this.#placeholders.get(token);
        return known === undefined ? token : JSON.stringify(known);
      }
      const value = String(JSON.parse(token));
      const clean = /^\s*[[{]/.test(value) ? this.cleanJson(value) : this.cleanValue(value);
      return clean === value ? token : JSON.stringify(clean);
    });
  }

  #allSearched(): (readonly [text: string, placeholder: string])[] {
    return [...this.#placeholders]
      .filter(([value, placeholder]) => value.length >= SHORT && placeholderRole(placeholder) !== 'signature')
      .flatMap(([value, placeholder]) =>
        [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)].map(
          (text) => [text, placeholder] as const,
        ),
      )
      .toSorted(([a], [b]) => b.length - a.length);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function unescaped(text: string): string {
  const value = parsedJson(`"${text}"`);
  return typeof value === 'string' ? value : text;
}
