// Makes an example value for a schema, so that users of the page see which values a call needs.
import type { OpenApiDocument, Schema } from './calls.ts';

/**
 * The greatest depth of nested structs in an example. A limit is needed because some structs contain themselves. This
 * depth is enough for a message inside a request.
 */
const DEEPEST = 5;

export function exampleOf(schema: Schema, root: OpenApiDocument, depth = 0): unknown {
  const node = followed(schema, root);
  const parts = (node.anyOf ?? node.oneOf) as readonly Schema[] | undefined;
  if (parts?.[0]) return exampleOf(parts[0], root, depth);
  if (node.const !== undefined) return node.const;
  if (Array.isArray(node.enum)) return node.enum[0];
  if (node.type === 'array') return arrayExample(node, root, depth);
  if (node.type === 'object') return objectExample(node, root, depth);
  return scalarExample(node);
}

function followed(schema: Schema, root: OpenApiDocument): Schema {
  const title = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return title === undefined ? schema : (root.components.schemas[title] ?? {});
}

function arrayExample(node: Schema, root: OpenApiDocument, depth: number): unknown[] {
  const positions = node.prefixItems as readonly Schema[] | undefined;
  if (positions) return positions.map((part) => exampleOf(part, root, depth + 1));
  return depth < DEEPEST && node.items ? [exampleOf(node.items as Schema, root, depth + 1)] : [];
}

/** Returns examples of the required fields of a struct. If no field is required, returns examples of all fields. */
function objectExample(node: Schema, root: OpenApiDocument, depth: number): Record<string, unknown> {
  const fields = (node.properties ?? {}) as Readonly<Record<string, Schema>>;
  const required = (node.required ?? Object.keys(fields)) as readonly string[];
  if (depth >= DEEPEST) return {};
  return Object.fromEntries(required.map((name) => [name, exampleOf(fields[name] ?? {}, root, depth + 1)]));
}

function scalarExample(node: Schema): unknown {
  if (node.type === 'boolean') return false;
  if (node.type === 'integer' || node.type === 'number') return 0;
  if (node.type === 'null') return null;
  return typeof node.pattern === 'string' && node.pattern.includes('\\d') ? '0' : '';
}
