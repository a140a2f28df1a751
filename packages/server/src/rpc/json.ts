// Reading JSON bodies: bytes to text, bounded depth, and only strings that both databases keep unchanged.
import { isUtf8 } from 'node:buffer';
import { ApiError, limits } from '@sealpost/contract';

/** @throws REQUEST_SCHEMA for anything that is not well-formed JSON within the depth limit */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ApiError('REQUEST_SCHEMA', 'the body is not UTF-8');
  const text = bytes.toString('utf8');
  requireDepth(text, limits.jsonDepth.value);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError('REQUEST_SCHEMA', 'the body is not JSON');
  }
  // Bytes that are UTF-8 can hold NUL or a lone surrogate only as an escape; a null can only be written as one.
  const escaped = text.includes('\\u');
  if (escaped) requireStorable(value, 'body');
  if (escaped || text.includes('__proto__')) requireNoProto(value);
  return text.includes('null') ? withoutNulls(value) : value;
}

/** Scans the text instead of parsing it: deep nesting costs the parser far more than its size. */
function requireDepth(text: string, most: number): void {
  // Few brackets, in strings or not, cannot nest deeply; nearly every body ends here.
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

function requireStorable(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed() || value.includes('\0')) {
      throw new ApiError('ILLEGAL_ARGUMENT', `${path} holds NUL or half of a surrogate pair`);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      requireStorable(key, `a key of ${path}`);
      requireStorable(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    }
  }
}

function requireNoProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) throw new ApiError('REQUEST_SCHEMA', 'the body has a key named __proto__');
  for (const item of Object.values(value)) requireNoProto(item);
}

/** A field that is null counts as not set. In lists null keeps its place, for the schema to judge. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) if (item !== null) kept[key] = withoutNulls(item);
  return kept;
}
