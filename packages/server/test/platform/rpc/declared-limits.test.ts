// The limits that the contract declares for texts, lists and numbers. A value at the limit passes, and one more is
// refused. The test finds the limits in the schemas, so it covers new limits too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleArgs } from '@sealpost/conformance/testing';
import { ApiError, type ErrorName, illegalValueOf, type MethodName } from '@sealpost/contract';
import { type HttpEndpoint, httpEndpoints, methodNames, methodOf } from '@sealpost/contract/schemas';
import { argumentCheck, bodyCheck } from '../../../src/platform/rpc/validate.ts';

type Path = readonly (string | number)[];

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly 'x-limit'?: string;
}

/** A limit at a place in a value, with the largest allowed value and the smallest refused one. */
interface Bound {
  readonly path: Path;
  readonly schema: Schema;
  readonly most: unknown;
  readonly more: unknown;
}

const isBelow = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;

/** Returns every limit in a schema, with the values that reach and exceed it. */
function boundsIn(schema: Schema, sample: unknown, path: Path = []): Bound[] {
  if (schema.enum) return [];
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => boundsIn(branch, sample, path));
  const found: Bound[] = edgesOf(schema, sample).map((edges) => ({ path, schema, ...edges }));
  if (!isBelow(sample)) return found;
  const [ofAnyKey] = Object.values(schema.patternProperties ?? {});
  for (const key of Object.keys(sample)) {
    const inside = schema.properties?.[key] ?? schema.items ?? ofAnyKey;
    const at = Array.isArray(sample) ? Number(key) : key;
    if (inside) found.push(...boundsIn(inside, sample[at], [...path, at]));
  }
  return found;
}

function edgesOf(schema: Schema, sample: unknown): { most: unknown; more: unknown }[] {
  const { pattern, maxLength, maxItems, maximum } = schema;
  // The longest number is a minus sign with 19 digits.
  if (pattern !== undefined) return [{ most: `-${'9'.repeat(19)}`, more: `-${'9'.repeat(20)}` }];
  if (maxLength !== undefined) return [{ most: 'x'.repeat(maxLength), more: 'x'.repeat(maxLength + 1) }];
  if (maxItems !== undefined) {
    const items = (count: number) => Array.from({ length: count }, () => (sample as readonly unknown[])[0]);
    return [{ most: items(maxItems), more: items(maxItems + 1) }];
  }
  return maximum === undefined ? [] : [{ most: maximum, more: maximum + 1 }];
}

function withValue(value: unknown, path: Path, put: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return put;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[key] = withValue(copy[key], rest, put);
  return copy;
}

const sample = { friend: `u${'0'.repeat(32)}`, chat: `c${'0'.repeat(32)}`, message: '1' };

/** Tests both edges of every limit; returns the names of the limits that were tested. */
function compare(
  what: string,
  bounds: readonly Bound[],
  refusalOf: (bound: Bound, value: unknown) => ErrorName | undefined,
  illegal: ErrorName,
): string[] {
  const tooLong = illegal === 'ILLEGAL_ARGUMENT' ? 'INVALID_LENGTH' : illegal;
  for (const bound of bounds) {
    const { path, schema } = bound;
    const counted = schema['x-limit'] !== undefined || (schema.pattern === undefined && schema.maximum === undefined);
    const found = [refusalOf(bound, bound.most), refusalOf(bound, bound.more)];
    assert.deepEqual(found, [undefined, counted ? tooLong : illegal], `${what}, ${path.join('.')}`);
  }
  return bounds.flatMap(({ schema }) => schema['x-limit'] ?? []);
}

/** Returns a body with a value for every field. */
const fittingBody = ({ type, properties = {} }: Schema): unknown => {
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, fittingBody(field)]));
  return type === 'boolean' ? true : type === 'string' ? 'x' : 1;
};

function errorOf(work: () => void): ErrorName | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error.code;
  }
}

test('each bound of an argument lets its limit pass, and nothing beyond', () => {
  const met = new Set<string>();
  let count = 0;
  for (const name of methodNames as readonly MethodName[]) {
    const check = argumentCheck(name);
    const args = sampleArgs(name, sample);
    const bounds = methodOf(name).args.flatMap(({ schema }, i) => boundsIn(schema as Schema, args[i], [i]));
    const refusalOf = ({ path }: Bound, value: unknown) =>
      errorOf(() => check(withValue(args, path, value) as unknown[]));
    for (const limit of compare(name, bounds, refusalOf, illegalValueOf(name))) met.add(limit);
    count += bounds.length;
  }
  assert.ok(count > 0);
  const named = ['chatMembers', 'keyLogPage', 'messageBoxesPerPage', 'messagesPerPage', 'midsPerCall'];
  assert.deepEqual([...met].sort(), [...named, 'operationsPerPoll', 'productsPerPage']);
});

test('each bound of a JSON body lets its limit pass, and nothing beyond', () => {
  const bodies = Object.entries(httpEndpoints as Record<string, HttpEndpoint>).flatMap(([name, { body }]) =>
    body?.schema ? [{ name, schema: body.schema }] : [],
  );
  assert.deepEqual(
    bodies.map(({ name }) => name),
    ['tokenRefresh', 'copyForMessage', 'updateCover'],
  );
  for (const { name, schema } of bodies) {
    const check = bodyCheck(schema);
    const body = fittingBody(schema as Schema);
    const refusalOf = ({ path }: Bound, value: unknown) => errorOf(() => check(withValue(body, path, value)));
    const bounds = boundsIn(schema as Schema, body);
    assert.ok(bounds.length > 0, name);
    compare(name, bounds, refusalOf, 'ILLEGAL_ARGUMENT');
  }
});
