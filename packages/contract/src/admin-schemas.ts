// Schemas that entries of the admin API share.
import Type, { type TProperties } from 'typebox';
import { optional } from './schema.ts';

export const Name = Type.String({ maxLength: 1000 });
export const Num = Type.Integer({ minimum: 0 });
export const Time = Type.String({ description: 'time as in 2026-01-31T12:00:00.000Z' });

/** Returns the schema of a body with these fields. Other fields are refused. */
export const closed = <const P extends TProperties>(title: string, properties: P) =>
  Type.Object(properties, { additionalProperties: false, title });

export const adminPageLimits = { usual: 50, most: 200 } as const;
/** The fields of a query that asks for one page of a list. */
export const page = {
  limit: optional(Type.Integer({ minimum: 1, maximum: adminPageLimits.most })),
  cursor: optional(
    Type.String({ pattern: '^\\d{1,16}$', description: `a number from 0 to ${Number.MAX_SAFE_INTEGER}` }),
  ),
};
export const Page = Type.Object(page);
/**
 * Returns the schema of one page of a list. A caller sends `cursor` to get the next page; the last page has no cursor.
 */
export const paged = <const P extends TProperties>(items: P) =>
  Type.Object({ ...items, cursor: optional(Type.String()) });
