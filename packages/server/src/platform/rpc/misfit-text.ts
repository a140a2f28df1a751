// Tells how a value breaks its schema: what is allowed, and what was sent instead.

/** An error of the schema validator. */
export interface SchemaError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

/** What the validator tells of the broken rule; which fields it has depends on the keyword. */
interface Rule {
  readonly type?: string | readonly string[];
  readonly limit?: number;
  readonly allowedValues?: readonly unknown[];
}

/** The parts of a schema that a text names. */
interface Named {
  readonly type?: string;
  readonly anyOf?: readonly Named[];
}

const SHOWN = 40;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** Names of the patterns in the schemas of requests. */
const PATTERN_NAMES: Readonly<Record<string, string>> = {
  '^-?\\d{1,19}$': 'a decimal number of at most 19 digits',
};

/** Fields whose value is not repeated in an answer, because a client may log answers. */
const SECRET = /passw|passphrase|secret|token|verifier|certificate|identifier|pincode/i;

/**
 * Returns the text of an error, which begins with the name of the field.
 * @param schema the part of the schema that the value breaks
 */
export const misfitText = (field: string, error: SchemaError, schema: unknown, value: unknown): string =>
  `${field} ${ruleText(error, schema, value, SECRET.test(field))}`;

function ruleText(error: SchemaError, schema: unknown, value: unknown, secret: boolean): string {
  const { limit, allowedValues = [] }: Rule = error.params;
  const [allowed] = allowedValues;
  const seen = secret ? 'the value that was sent' : seenText(value);
  switch (error.keyword) {
    case 'type':
    case 'anyOf':
      return `must be ${typeText(schema) ?? 'of another type'}, not ${typed(value, seen)}`;
    case 'enum':
      return typeof value === typeof allowed
        ? `must be one of ${rangesText(allowedValues)}, not ${seen}`
        : `must be ${typeof allowed === 'number' ? 'an integer' : 'a text'}, not ${typed(value, seen)}`;
    case 'pattern':
      return `must be ${patternText(schema, error)}, not ${seen}`;
    case 'minimum':
      return `must be at least ${limit}, not ${seen}`;
    case 'maximum':
      return `must be at most ${limit}, not ${seen}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters, not ${lengthOf(value)}`;
    case 'maxLength':
      return `must have at most ${limit} characters, not ${lengthOf(value)}`;
    case 'maxItems':
      return `must have at most ${limit} items, not ${lengthOf(value)}`;
    default:
      return error.message;
  }
}

/** Returns the allowed types in words; undefined for a schema of another kind. */
function typeText(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { type, anyOf = [] }: Named = schema;
  if (type !== undefined) return TYPE_NAMES[type];
  const names = anyOf.flatMap((member) => typeText(member) ?? 'an object');
  return names.length === 0 ? undefined : [...new Set(names)].join(' or ');
}

function patternText(schema: unknown, error: SchemaError): string {
  const { pattern = '' }: { readonly pattern?: string } = error.params;
  const named = PATTERN_NAMES[pattern];
  if (named !== undefined) return named;
  const described = typeof schema === 'object' && schema !== null && 'description' in schema && schema.description;
  return typeof described === 'string' ? described : `a text that fits ${pattern}`;
}

/** Returns values in words. Three or more consecutive numbers become a range. */
function rangesText(values: readonly unknown[]): string {
  const runs: unknown[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && typeof last === 'number' && value === last + 1) run.push(value);
    else runs.push([value]);
  }
  const texts = runs.flatMap((run) => (run.length < 3 ? run.map(valueText) : [`${run[0]} to ${run.at(-1)}`]));
  return inWords(texts, 'or');
}

/** Returns items as a sentence has them: `a, b and c`. */
export const inWords = (items: readonly string[], last: 'and' | 'or'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;

const valueText = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : `${value}`);

/** Returns the value that was sent, shortened. Of a list and of a struct, only the type is told. */
function seenText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return `${value}`;
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : 'an object';
  // A value may be large, so only its beginning is split.
  const shown = [...value.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('');
  return `${JSON.stringify(shown)}${shown.length < value.length ? '…' : ''}`;
}

/** Says that a value is a text, where its type is what is wrong: quotes alone are easily overlooked. */
const typed = (value: unknown, seen: string): string =>
  typeof value === 'string' && seen.startsWith('"') ? `the text ${seen}` : seen;

/** Returns the number of items, or of characters as the validator counts them: code points. */
function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  let length = 0;
  if (typeof value === 'string') for (const _ of value) length += 1;
  return length;
}
