// Parses JSON bodies. Depth is bounded, and only strings that both databases store unchanged are accepted.
import { isUtf8 } from 'node:buffer';
import { ApiError, limits } from '@sealpost/contract';
import { unstorable, unstorableIn } from '../kernel/storable-text.ts';

/** Returns the contract's names for a list of arguments, in the order of the arguments. */
export type ArgumentNames = (args: readonly unknown[]) => readonly { readonly name: string }[];

/**
 * Returns the parsed body.
 * @param namesOf names the arguments in errors, if the body is a list of arguments
 * @throws REQUEST_SCHEMA if the body is not well-formed JSON within the depth limit
 */
export function parseJson(bytes: Buffer, namesOf?: ArgumentNames): unknown {
  if (!isUtf8(bytes)) throw new ApiError('REQUEST_SCHEMA', 'the body is not UTF-8');
  const text = bytes.toString('utf8');
  requireDepth(text, limits.jsonDepth.value);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError('REQUEST_SCHEMA', 'the body is not JSON');
  }
  // In valid UTF-8 text, JSON strings can hold NUL or half of a surrogate pair only through a `\u` escape. So a text
  // without `\u` escapes needs no check.
  const escaped = text.includes('\\u');
  if (escaped) {
    if (namesOf && Array.isArray(value)) {
      const named = namesOf(value);
      for (const [i, item] of value.entries()) requireStorable(item, named[i]?.name ?? `body[${i}]`);
    } else requireStorable(value, 'body');
  }
  if (escaped || text.includes('__proto__')) requireNoProto(value);
  // The parsed value holds a repeated key only once. So if the text has as many colons as the value has keys, no key is
  // repeated. Colons in strings require the slower check.
  if (countUpTo(text, ':', text.length) !== countKeys(value)) requireUniqueKeys(text);
  return text.includes('null') ? withoutNulls(value) : value;
}

/**
 * Throws if the text is nested too deeply. Scans the text without parsing it, because deep nesting costs the parser
 * much more time.
 */
function requireDepth(text: string, most: number): void {
  // A text with few brackets cannot nest deeply. Nearly every body passes this check.
  if (countUpTo(text, '{', most) + countUpTo(text, '[', most) <= most) return;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > most) throw new ApiError('REQUEST_SCHEMA', `the body is nested deeper than ${most} levels`);
    } else if (character === ']' || character === '}') depth -= 1;
  }
}

function countUpTo(text: string, character: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0 && count <= most; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

function requireStorable(value: unknown, name: string): void {
  const path = unstorableIn(value, name);
  if (path !== undefined) throw new ApiError('ILLEGAL_ARGUMENT', unstorable(path));
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countKeys(item);
  else for (const key in value) count += 1 + countKeys((value as Record<string, unknown>)[key]);
  return count;
}

/** Matches brackets and strings. If a string is a key, the match includes the colon after it. */
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g;

/** Throws if an object has the same key twice, because some readers take the first value and others the last. */
function requireUniqueKeys(text: string): void {
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (string !== undefined && colon !== undefined) {
      const keys = open.at(-1) as Set<string>;
      const key = JSON.parse(string) as string;
      if (keys.has(key))
        throw new ApiError('REQUEST_SCHEMA', `the body has the key ${JSON.stringify(key.slice(0, 50))} twice`);
      keys.add(key);
    }
  }
}

function requireNoProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) throw new ApiError('REQUEST_SCHEMA', 'the body has a key named __proto__');
  for (const item of Object.values(value)) requireNoProto(item);
}

/**
 * Returns the value without fields that are null, because null means not set. Null stays in lists, where the schema
 * decides whether null is valid.
 */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) if (item !== null) kept[key] = withoutNulls(item);
  return kept;
}
