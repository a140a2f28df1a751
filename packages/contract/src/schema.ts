// Building blocks of the schemas: the JSON forms of the protocol's Thrift types.
import Type, { type TSchema } from 'typebox';
import { type LimitName, limits } from './limits.ts';

/** A 64-bit integer in a request: a decimal string, or a JSON integer from clients that send one. */
export const I64 = i64();
/**
 * Returns the schema of a 64-bit integer in a request.
 * @param note further description, for the documents
 */
export function i64(note = '') {
  return Type.Union(
    [
      Type.String({ pattern: '^-?\\d{1,19}$', maxLength: 20 }),
      Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ],
    { description: `i64: a decimal string, or an integer${note}` },
  );
}
/** A 64-bit integer in an answer: always a decimal string. */
export const I64Text = Type.String({ pattern: '^-?\\d{1,19}$', description: 'i64 as a decimal string' });
export const I32 = Type.Integer({ minimum: -2147483648, maximum: 2147483647, description: 'i32' });
export const I8 = Type.Integer({ minimum: -128, maximum: 127, description: 'i8' });
export const Bool = Type.Boolean();
export const Text = (maxLength: number) => Type.String({ maxLength });
/** Standard base64 with padding. Each method checks the length of the decoded bytes. */
export const Base64 = Type.String({ maxLength: 200_000, description: 'binary as base64' });
/** The id of a user, group or room. Each method checks that the user or chat exists. */
export const Mid = Type.String({ minLength: 1, maxLength: 64, description: 'mid: kind letter and 32 hex digits' });
export const MessageId = I64;
/** The request sequence number that a client gives to a changing call. A number below 2 is not an idempotency key. */
export const ReqSeq = Type.Integer({
  minimum: -2147483648,
  maximum: 2147483647,
  description: 'i32 request sequence number',
});
export const StringMap = Type.Record(Type.String(), Type.String());
export const Empty = Type.Object({}, { description: 'empty struct' });
export const Nothing = Type.Null({ description: 'no result' });
export const optional = Type.Optional;

/** Returns the schema of a numeric enum. Unknown numbers do not fit this schema. */
export const NumericEnum = <const V extends Record<string, number>>(name: string, values: V) =>
  Type.Enum(Object.values(values) as V[keyof V][], { title: name, 'x-enum': values });

/**
 * Returns the schema of a list. If `most` is the name of a limit, the error for a list with too many items names this
 * limit.
 */
export const list = <S extends TSchema>(item: S, most: LimitName | number = 100_000) =>
  typeof most === 'number'
    ? Type.Array(item, { maxItems: most })
    : Type.Array(item, { maxItems: limits[most].value, 'x-limit': most });
/**
 * Returns the schema of a number of items that a client asks for. The server refuses a number above the limit instead
 * of reducing it, and the error names the limit.
 * @param note further description, for the documents
 */
export const countUpTo = (limit: LimitName, note = '', minimum = -2147483648) =>
  Type.Integer({
    ...{ minimum, maximum: limits[limit].value, 'x-limit': limit },
    description: `i32, at most ${limit}${note}`,
  });
