// Converts the contract's schemas to plain JSON Schema. Every struct and enum with a title is stored once, and other
// schemas refer to it.
import type { Schema } from './source.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface Components {
  /** Returns the schema in plain form. In place of every part with a title, it has a reference. */
  schema(schema: Schema): Json;
  /** Converts a part of a schema that is already plain data, in the same way as `schema`. */
  node(node: Json): Json;
  /** Returns all parts with a title that were converted so far, by title. */
  all(): JsonObject;
}

const ANY_KEY = '^.*$';

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** Returns a schema as plain data. TypeBox marks its schemas with hidden properties, which JSON leaves out. */
export const plain = (schema: Schema): JsonObject => JSON.parse(JSON.stringify(schema)) as JsonObject;

export function createComponents(prefix = '#/components/schemas/'): Components {
  const found = new Map<string, Json>();

  const keep = (title: string, node: JsonObject): Json => {
    const body = walkObject(node);
    const before = found.get(title);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(body)) {
      throw new Error(`the contract has two different schemas with the title ${title}`);
    }
    found.set(title, body);
    return { $ref: `${prefix}${title}` };
  };
  const walk = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(walk);
    if (!isObject(node)) return node;
    return typeof node.title === 'string' ? keep(node.title, node) : walkObject(node);
  };
  const walkObject = (node: JsonObject): JsonObject => {
    const walked = Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, isNamesOfFields(key) ? mapValues(value, walk) : walk(value)]),
    );
    return namedEnum(openMap(walked));
  };
  return {
    schema: (schema) => walk(plain(schema)),
    node: walk,
    all: () => Object.fromEntries([...found].sort(byTitle)),
  };
}

/**
 * Returns true if the keys below a keyword are names of fields. A field named `title` must not be confused with the
 * title of a schema.
 */
const isNamesOfFields = (key: string): boolean => key === 'properties' || key === 'patternProperties';

const mapValues = (node: Json, change: (value: Json) => Json): Json =>
  isObject(node) ? Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value)])) : node;

const byTitle = ([a]: readonly [string, Json], [b]: readonly [string, Json]): number => (a < b ? -1 : 1);

/**
 * Replaces a pattern that matches every key by `additionalProperties`. That is easier to read, and code generators make
 * better code from it.
 */
function openMap(node: JsonObject): JsonObject {
  const pattern = node.patternProperties;
  if (!isObject(pattern) || pattern[ANY_KEY] === undefined) return node;
  const { patternProperties: _, ...rest } = node;
  return { ...rest, additionalProperties: pattern[ANY_KEY] };
}

/** Converts the names of an enum's numbers to the form that code generators understand. */
function namedEnum(node: JsonObject): JsonObject {
  const names = node['x-enum'];
  if (!isObject(names)) return node;
  const { 'x-enum': _, ...rest } = node;
  return {
    ...rest,
    type: 'integer',
    description: Object.entries(names)
      .map(([name, value]) => `${value} ${name}`)
      .join(', '),
    'x-enum-varnames': Object.keys(names),
  };
}
