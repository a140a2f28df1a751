// Identifiers are opaque strings on the wire. Brands of types prevent passing one kind of id where another is expected.

declare const brand: unique symbol;
type Brand<T, B extends string> = T & { readonly [brand]?: B };

/** The id of a user: the letter `u` and 32 lower-case hex digits. */
export type UserMid = Brand<string, 'UserMid'>;
/** The id of a chat as one viewer sees it: a group (`c…`), a room (`r…`), or the other party's `UserMid`. */
export type ChatMid = Brand<string, 'ChatMid'>;

/** The leading letter of a mid by its kind (specification: Wire conventions, Ids). */
export const midPrefix = { user: 'u', group: 'c', room: 'r' } as const;

const MID = /^[ucr][0-9a-f]{32}$/;

/** Returns true if the text has the form of the mids that servers issue: a kind letter and 32 lower-case hex digits. */
export const isMid = (text: string): boolean => MID.test(text);

const I64 = /^-?\d{1,19}$/;

/**
 * Reads a 64-bit integer as a client may send it: a decimal string or a JSON integer. Returns a safe integer, clamped
 * to ±(2^53 - 1), or `undefined` if the value is not an integer. Every 64-bit value that the server assigns lies inside
 * this range. So clamping changes only values that are older or newer than all of the server's values.
 */
export function parseI64(value: string | number | undefined): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (value === undefined || !I64.test(value)) return undefined;
  const number = Number(value);
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}
