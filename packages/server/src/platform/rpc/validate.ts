// Checks arguments and JSON bodies against the contract. Wrong JSON types, missing values and values out of range cause
// different errors. Each error names the field.
import { ApiError, type ErrorName, illegalValueOf } from '@sealpost/contract';
import { type Argument, type MethodName, methodOf } from '@sealpost/contract/schemas';
import type { Static, TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { validatorOf } from '../kernel/validator-of.ts';
import { inWords, misfitText, type SchemaError } from './misfit-text.ts';

export type ArgumentCheck = (args: readonly unknown[]) => void;

interface CheckedArgument {
  readonly argument: Argument;
  readonly validator: () => Validator;
}

export function argumentCheck(name: MethodName): ArgumentCheck {
  const checked: CheckedArgument[] = methodOf(name).args.map((argument) => ({
    argument,
    validator: validatorOf(argument.schema),
  }));
  const illegal = illegalValueOf(name);
  return (args) => {
    if (args.length > checked.length) {
      throw new ApiError('REQUEST_SCHEMA', `${name} takes ${countText(checked)}, got ${args.length}`);
    }
    for (const [i, { argument, validator }] of checked.entries()) {
      const value = args[i];
      if (validator().Check(value)) continue;
      if (argument.optional && (value === undefined || value === null)) continue;
      if (value === undefined) throw new ApiError('REQUEST_SCHEMA', `argument ${i + 1}, ${argument.name}, is missing`);
      const errors = validator().Errors(value) as SchemaError[];
      throw errorFor(errors, argument.schema, argument.name, value, illegal);
    }
  };
}

/** Returns how many arguments a method takes, in words. */
function countText(checked: readonly CheckedArgument[]): string {
  const most = checked.length;
  const least = checked.findLastIndex(({ argument }) => !argument.optional) + 1;
  if (least === most) return most === 0 ? 'no arguments' : `${most} argument${most === 1 ? '' : 's'}`;
  return `${least} ${most === least + 1 ? 'or' : 'to'} ${most} arguments`;
}

/**
 * Returns the check of a JSON body for an endpoint outside of RPC.
 * @param illegal the error for values that have the right JSON type but are out of range
 */
export function bodyCheck<S extends TSchema>(schema: S, illegal: ErrorName = 'ILLEGAL_ARGUMENT') {
  const validator = validatorOf(schema);
  return (body: unknown): Static<S> => {
    if (validator().Check(body)) return body;
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new ApiError('REQUEST_SCHEMA', 'the body must be a JSON object');
    throw errorFor(validator().Errors(body) as SchemaError[], schema, 'body', body, illegal);
  };
}

/**
 * Rules that a value of the right JSON type can break, the most informative first. For example, a text that is both
 * malformed and too long is reported as malformed.
 */
const OF_VALUE = ['pattern', 'maxLength', 'minimum', 'maximum'];

/**
 * Returns the most informative error. For a union, the most informative error is that of the member which has the JSON
 * type of the value.
 */
function firstOf(errors: readonly SchemaError[]): SchemaError | undefined {
  const union = errors.find((error) => error.keyword === 'anyOf');
  if (!union || errors[0]?.instancePath !== union.instancePath) return errors[0];
  const own = errors.filter((error) => error.instancePath === union.instancePath);
  const [found] = OF_VALUE.flatMap((keyword) => own.filter((error) => error.keyword === keyword));
  return found ?? union;
}

function errorFor(
  errors: readonly SchemaError[],
  schema: TSchema,
  argument: string,
  value: unknown,
  illegal: ErrorName,
): ApiError {
  const error = firstOf(errors);
  if (!error) return new ApiError(illegal, `${argument} is not valid`);
  const field = `${argument}${error.instancePath.replaceAll('/', '.')}`;
  const tooMany = beyondLimit(error, schema, value);
  const seen = valueAt(value, error.instancePath);
  const text = tooMany ? `${field} ${tooMany}` : misfitText(field, error, valueAt(schema, error.schemaPath), seen);
  const tooLong = illegal === 'ILLEGAL_ARGUMENT' ? 'INVALID_LENGTH' : illegal;
  if (tooMany) return new ApiError(tooLong, `Invalid Length: ${text}`);
  switch (error.keyword) {
    case 'required':
      return new ApiError('REQUEST_SCHEMA', missingText(field, error));
    case 'type':
    case 'anyOf':
      return new ApiError('REQUEST_ARGUMENT_TYPE', text);
    case 'enum': {
      const { allowedValues } = error.params as { allowedValues: readonly unknown[] };
      const sameType = typeof seen === typeof allowedValues[0];
      return new ApiError(sameType ? illegal : 'REQUEST_ARGUMENT_TYPE', text);
    }
    case 'maxLength':
    case 'maxItems':
      return new ApiError(tooLong, `Invalid Length: ${text}`);
    default:
      return new ApiError(illegal, text);
  }
}

/** Returns which fields are missing. A field that is null counts as not set, and was removed before the check. */
function missingText(field: string, { params }: SchemaError): string {
  const { requiredProperties = [] }: { readonly requiredProperties?: readonly string[] } = params;
  const names = requiredProperties.map((name) => `${field}.${name}`);
  return `${inWords(names, 'and')} ${names.length === 1 ? 'is' : 'are'} missing or null`;
}

/** Returns a text that names the limit which a value exceeds; undefined if its schema has no named limit. */
function beyondLimit(error: SchemaError, schema: TSchema, value: unknown): string | undefined {
  if (error.keyword !== 'maximum' && error.keyword !== 'maxItems') return undefined;
  const { 'x-limit': name } = valueAt(schema, error.schemaPath) as { 'x-limit'?: string };
  if (name === undefined) return undefined;
  const seen = valueAt(value, error.instancePath);
  const { limit } = error.params as { limit: number };
  const found = Array.isArray(seen) ? `has ${seen.length} items` : `is ${seen}`;
  return `${found}; the limit ${name} is ${limit}: ask for fewer, and for the rest in further calls`;
}

/** Returns the part of a value that a JSON pointer names. */
function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const key of pointer.split('/').slice(1)) {
    found = (found as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found;
}
