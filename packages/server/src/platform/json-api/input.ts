// Reads the arguments of a JSON endpoint from its path, query and body, and checks them against the contract.
import { type AdminEndpoint, adminPageLimits } from '@sealpost/contract/admin';
import type { TObject, TSchema } from 'typebox';
import { isStorable, unstorable, unstorableIn } from '../kernel/storable-text.ts';
import { validatorOf } from '../kernel/validator-of.ts';
import { Problem } from './problem.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface JsonInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Returns the function that reads an endpoint's arguments. This function throws a problem that names every invalid
 * field.
 */
export function inputReader({ query, body }: AdminEndpoint): (input: JsonInput) => Fields {
  const readQuery = query ? queryReader(query) : () => ({});
  const readBody = bodyReader(body);
  return (input) => ({ ...(input.params as Fields), ...readQuery(input.query), ...readBody(input.body) });
}

function bodyReader(body: AdminEndpoint['body']): (given: unknown) => Fields {
  if (!body) return () => ({});
  if ('schema' in body) {
    const read = jsonReader(body.schema);
    return body.optional ? (given) => read(given === undefined ? {} : given) : read;
  }
  return (content) => {
    if (Buffer.isBuffer(content)) return { content };
    throw new Problem(415, `the body must be ${body.doc}, of type ${body.contentType}`);
  };
}

function jsonReader(schema: TObject): (body: unknown) => Fields {
  const validator = validatorOf(schema);
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new Problem(400, 'the body must be a JSON object');
    const path = unstorableIn(body, 'body');
    if (path !== undefined) throw new Problem(400, unstorable(path));
    if (validator().Check(body)) return body as Fields;
    const errors = validator()
      .Errors(body)
      .flatMap((error) => fieldErrors(schema, error));
    throw invalid([...new Map(errors.map((error) => [error.field, error])).values()]);
  };
}

interface FieldError {
  readonly field: string;
  readonly message: string;
}

const invalid = (errors: readonly FieldError[]): Problem =>
  new Problem(400, errors.map(({ field, message }) => `${field}: ${message}`).join('; '), { errors });

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

function fieldErrors({ properties }: TObject, { keyword, instancePath, message, params }: SchemaError): FieldError[] {
  const { requiredProperties, additionalProperties } = params as {
    requiredProperties?: string[];
    additionalProperties?: string[];
  };
  if (requiredProperties) return requiredProperties.map((field) => ({ field, message: 'is required' }));
  if (additionalProperties) return additionalProperties.map((field) => ({ field, message: 'is not known' }));
  const field = instancePath.slice(1);
  // Few people can read a pattern. The contract also says in words what the text must be.
  const { description }: { readonly description?: unknown } = properties[field] ?? {};
  return [{ field, message: keyword === 'pattern' && description !== undefined ? `must be ${description}` : message }];
}

/**
 * Returns a function that reads a query string. The function converts each text to the type in the schema, and ignores
 * unknown fields.
 */
function queryReader({ properties, required }: TObject): (query: unknown) => Fields {
  const needed: readonly string[] = required ?? [];
  const readers = Object.entries(properties).map(([field, schema]) => ({ field, read: textReader(schema), schema }));
  return (query) => {
    const found: Record<string, unknown> = {};
    for (const { field, read, schema } of readers) {
      const given = (query as Fields)[field];
      if (given === undefined && !needed.includes(field)) continue;
      const value = typeof given === 'string' ? read(given) : undefined;
      if (typeof value === 'string' && !isStorable(value)) throw new Problem(400, unstorable(field));
      if (value === undefined) throw invalid([{ field, message: `must be ${expected(schema)}` }]);
      found[field] = value;
    }
    return found;
  };
}

/**
 * Returns a function that reads one value of a query string. The function returns undefined if the text does not fit
 * the schema.
 */
function textReader(schema: TSchema): (text: string) => unknown {
  const validator = validatorOf(schema);
  const { type } = schema as { type?: string };
  return (text) => {
    const value = valueIn(type, text);
    return validator().Check(value) ? value : undefined;
  };
}

function valueIn(type: string | undefined, text: string): unknown {
  if (type === 'integer') return /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : undefined);
  return text;
}

function expected(schema: TSchema): string {
  const {
    description,
    enum: values,
    maximum,
    minimum,
    type,
  } = schema as {
    readonly description?: string;
    readonly enum?: readonly string[];
    readonly maximum?: number;
    readonly minimum?: number;
    readonly type?: string;
  };
  if (values) return values.join(' or ');
  if (type === 'integer') return `a number from ${minimum} to ${maximum}`;
  return type === 'boolean' ? 'true or false' : (description ?? 'text');
}

interface PageArgs {
  readonly limit?: number;
  readonly cursor?: string;
}

/**
 * Returns the size of the requested page and the id of the last item before the page. Without a cursor, `start` is that
 * id.
 */
export function pageOf({ limit = adminPageLimits.usual, cursor }: PageArgs, start: number) {
  const from = cursor === undefined ? start : Number(cursor);
  if (Number.isSafeInteger(from)) return { limit, cursor: from };
  throw invalid([{ field: 'cursor', message: `must be a number from 0 to ${Number.MAX_SAFE_INTEGER}` }]);
}

/** Returns an object with the cursor of the next page; an empty object if this page is the last. */
export const nextOf = (page: readonly { readonly id: number }[], limit: number): { cursor?: string } => {
  const last = page.at(-1);
  return last && page.length === limit ? { cursor: String(last.id) } : {};
};
