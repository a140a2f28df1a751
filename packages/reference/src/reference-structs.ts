// Collects the structs of the contract that have a title, and makes links to them.
import { createComponents, isObject, type JsonObject, plain } from './json-schema.ts';
import { anchor, code, page, table } from './markdown.ts';
import { fieldsOf, type Linker, typeText } from './schema-text.ts';
import { type Schema, schemasOfContract } from './source.ts';

/** The schemas of all structs and numeric enums, by title. */
export type Structs = ReadonlyMap<string, JsonObject>;

export function structsOf(schemas: readonly Schema[] = schemasOfContract()): Structs {
  const found = new Map<string, JsonObject>();
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(collect);
    else if (typeof node === 'object' && node !== null) {
      const { title } = node as { title?: unknown };
      if (typeof title === 'string') found.set(title, node as JsonObject);
      Object.values(node).forEach(collect);
    }
  };
  schemas.map(plain).forEach(collect);
  const components = createComponents();
  for (const schema of schemas) components.schema(schema);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const isEnum = (node: JsonObject): boolean => isObject(node['x-enum']);

/** Returns a function that turns a title into a link to its heading in structs.md or enums.md. */
export const structAnchor =
  (structs: Structs): Linker =>
  (title) => {
    const node = structs.get(title);
    return `[${title}](${node && isEnum(node) ? 'enums.md' : 'structs.md'}#${anchor(title)})`;
  };

export function structsPage(structs: Structs): string {
  const link = structAnchor(structs);
  const sections = [...structs]
    .filter(([, node]) => !isEnum(node))
    .map(([title, node]) => page(`## ${title}`, descriptionOf(node), fieldTable(node, link)).trimEnd());
  return page(
    '# Structs',
    'The JSON objects of the wire. A field that is not set is left out; it is never `null` or an empty string. `i64` values are decimal strings in answers.',
    ...sections,
  );
}

const descriptionOf = (node: JsonObject): string | undefined =>
  typeof node.description === 'string' ? node.description : undefined;

function fieldTable(node: JsonObject, link: Linker): string {
  const fields = fieldsOf(node);
  if (fields.length === 0) return typeText({ ...node, title: null }, link);
  return table(
    ['Field', 'Type', ''],
    fields.map(({ name, type, optional }) => [code(name), typeText(type, link), optional ? 'optional' : '']),
  );
}

/** Returns the numeric enums that appear in schemas, by title. */
export const enumsOf = (structs: Structs): readonly (readonly [string, Readonly<Record<string, number>>])[] =>
  [...structs]
    .filter(([, node]) => isEnum(node))
    .map(([title, node]) => [title, node['x-enum'] as Readonly<Record<string, number>>] as const);
