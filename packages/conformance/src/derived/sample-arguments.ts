// Makes arguments that fit a method's schemas, and copies of them in which one value is wrong.
import { loginTypes, type MethodName } from '@sealpost/contract';
import { methodOf } from '@sealpost/contract/schemas';
import type { TSchema } from 'typebox';

/** The ids of things that exist, for arguments that must name such a thing. */
export interface Sample {
  readonly friend: string;
  readonly chat: string;
  readonly message: string;
  /** True if structs get no optional fields. */
  readonly isLean?: boolean;
}

type Schema = TSchema & {
  readonly type?: string;
  readonly title?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly description?: string;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
};

export const sampleArgs = (method: MethodName, sample: Sample): unknown[] =>
  methodOf(method).args.map(({ name, schema }) => sampleValue(schema, name, sample));

/** Returns arguments without optional ones, whose structs have no optional fields. */
export const leanArgs = (method: MethodName, sample: Sample): unknown[] =>
  methodOf(method)
    .args.filter(({ optional }) => !optional)
    .map(({ name, schema }) => sampleValue(schema, name, { ...sample, isLean: true }));

/**
 * Returns a value that fits the schema.
 * @param name the name of the argument or field, which tells ids of chats from those of users
 */
export const sampleValue = (schema: TSchema, name: string, sample: Sample): unknown =>
  fitting(schema as Schema, name, sample);

/** Texts of which one fits each pattern that the schemas have. */
const samplesOfPatterns = ['QQ==', '1', 'jp', '123456', 'abcdefgh', 'a'.repeat(43)];

/** Returns a value that fits the schema. For ids of users, chats and messages, returns ids from the sample. */
function fitting(schema: Schema, name: string, sample: Sample): unknown {
  const describes = (word: string) => schema.description?.startsWith(word) ?? false;
  if (describes('mid')) return /chat|box|room|consumer|group/i.test(name) ? sample.chat : sample.friend;
  if (describes('i64')) return /message|id/i.test(name) ? sample.message : '0';
  // A sample password would be wrong. The server counts wrong passwords, and would soon refuse logins from this
  // address. So the sample asks for a QR login, which needs no password.
  if (schema.title === 'LoginType') return loginTypes.QRCODE;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return fitting(schema.anyOf[0] as Schema, name, sample);
  switch (schema.type) {
    case 'object':
      if (schema.patternProperties)
        return { '2': fitting(Object.values(schema.patternProperties)[0] as Schema, name, sample) };
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => !sample.isLean || schema.required?.includes(key))
          .map(([key, field]) => [key, fitting(field, key, sample)]),
      );
    case 'array':
      return [fitting(schema.items ?? ({} as Schema), name, sample)];
    case 'string':
      if (/messageId/i.test(name)) return sample.message;
      return samplesOfPatterns.find((text) => new RegExp(schema.pattern ?? '').test(text)) ?? 'QQ==';
    case 'boolean':
      return false;
    default:
      return Math.max(schema.minimum ?? 1, 1);
  }
}

export type Path = readonly (string | number)[];

/** Returns the paths to all values inside a value, at every depth. */
export function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.keys(value).map((key) => [...path, Array.isArray(value) ? Number(key) : key]);
  return inside.flatMap((place) => [
    place,
    ...placesIn((value as Record<string | number, unknown>)[place.at(-1) as string], place),
  ]);
}

const MARK = 'the value';

/** Returns the arguments as JSON. At the given place, the value is replaced by the given JSON text. */
export function bodyWith(args: readonly unknown[], place: Path, json: string): string {
  const copy = structuredClone(args) as unknown;
  let at = copy as Record<string | number, unknown>;
  for (const key of place.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  at[place.at(-1) as string | number] = MARK;
  return JSON.stringify(copy).replace(JSON.stringify(MARK), () => json);
}
