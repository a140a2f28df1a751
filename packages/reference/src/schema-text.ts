// Describes schemas in words, for the tables of the reference pages.
import { isObject, type Json, type JsonObject, plain } from './json-schema.ts';
import type { Schema } from './source.ts';

/** Turns the title of a struct or enum into a link. */
export type Linker = (title: string) => string;

/** Returns a short description of a type, for example "list of [Message](structs.md#message)". */
export function typeText(schema: Schema | Json, link: Linker): string {
  return nodeText(isSchemaObject(schema) ? plain(schema) : schema, link);
}

const isSchemaObject = (schema: Schema | Json): schema is Schema => typeof schema === 'object' && schema !== null;

function nodeText(node: Json | undefined, link: Linker): string {
  if (!isObject(node)) return 'anything';
  if (typeof node.title === 'string') return link(node.title);
  const described = typeof node.description === 'string' ? node.description : undefined;
  if (Array.isArray(node.anyOf))
    return described ?? node.anyOf.map((part) => nodeText(part as Json, link)).join(' or ');
  if (Array.isArray(node.allOf)) return node.allOf.map((part: Json) => nodeText(part, link)).join(' with ');
  if (Array.isArray(node.enum)) return node.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.type === 'array') return `list of ${nodeText(node.items, link)}${bound(node.maxItems, 'at most')}`;
  if (node.type === 'object') return described ?? objectText(node, link);
  if (node.type === 'null') return 'nothing';
  return (described ?? String(node.type ?? 'anything')) + bound(described ? undefined : node.maxLength, 'at most');
}

function objectText(node: JsonObject, link: Linker): string {
  const values = isObject(node.patternProperties)
    ? Object.values(node.patternProperties)[0]
    : node.additionalProperties;
  if (isObject(values)) return `map of string to ${nodeText(values, link)}`;
  const fields = fieldsOf(node);
  if (fields.length === 0) return 'struct';
  return `{ ${fields.map(({ name, type, optional }) => `\`${name}\`${optional ? '?' : ''}: ${nodeText(type, link)}`).join(', ')} }`;
}

const GUARD = 10_000;
const bound = (value: Json | undefined, word: string): string =>
  typeof value === 'number' && value <= GUARD ? `, ${word} ${value}` : '';

export interface Field {
  readonly name: string;
  readonly type: Json;
  readonly optional: boolean;
}

/** Returns the fields of a struct, in their order. */
export function fieldsOf(node: JsonObject): readonly Field[] {
  const required = Array.isArray(node.required) ? node.required : [];
  const properties = isObject(node.properties) ? Object.entries(node.properties) : [];
  return properties.map(([name, type]) => ({ name, type, optional: !required.includes(name) }));
}
