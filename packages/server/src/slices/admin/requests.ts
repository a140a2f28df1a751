// Bodies and queries of the admin API.
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { unstorable, unstorableIn } from '../../platform/kernel/storable-text.ts';
import { Problem } from './problem.ts';

const Name = Type.String({ maxLength: 1000 });

export const CreateAccountBody = Type.Object(
  {
    userid: Name,
    password: Name,
    displayName: Name,
    email: Type.Optional(Name),
    phone: Type.Optional(Name),
    regionCode: Type.Optional(Name),
    kind: Type.Optional(Type.Enum(['user', 'official'])),
  },
  { additionalProperties: false, title: 'CreateAccount' },
);

export const ResetPasswordBody = Type.Object(
  { password: Name },
  { additionalProperties: false, title: 'ResetPassword' },
);

/** Makes a reader of bodies that throws a problem naming every field that does not fit. */
export function bodyReader<S extends TSchema>(schema: S): (body: unknown) => Static<S> {
  const validator = Compile(schema);
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new Problem(400, 'the body must be a JSON object');
    const path = unstorableIn(body, 'body');
    if (path !== undefined) throw new Problem(400, unstorable(path));
    if (validator.Check(body)) return body as Static<S>;
    const byField = new Map(
      validator
        .Errors(body)
        .flatMap(fieldErrors)
        .map((error) => [error.field, error]),
    );
    const errors = [...byField.values()];
    throw new Problem(400, errors.map(({ field, message }) => `${field}: ${message}`).join('; '), { errors });
  };
}

interface SchemaError {
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

function fieldErrors({ instancePath, message, params }: SchemaError): { field: string; message: string }[] {
  const { requiredProperties, additionalProperties } = params as {
    requiredProperties?: string[];
    additionalProperties?: string[];
  };
  if (requiredProperties) return requiredProperties.map((field) => ({ field, message: 'is required' }));
  if (additionalProperties) return additionalProperties.map((field) => ({ field, message: 'is not known' }));
  return [{ field: instancePath.slice(1), message }];
}

const PAGE = 50;
const MAX_PAGE = 200;

/** `limit` and `cursor` of a list. */
export function pageOf(query: unknown, start: number): { limit: number; cursor: number } {
  const { limit, cursor } = query as { limit?: unknown; cursor?: unknown };
  return {
    limit: integerOf('limit', limit, PAGE, 1, MAX_PAGE),
    cursor: integerOf('cursor', cursor, start, 0, Number.MAX_SAFE_INTEGER),
  };
}

function integerOf(field: string, value: unknown, absent: number, least: number, most: number): number {
  if (value === undefined) return absent;
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  const message = `must be a number from ${least} to ${most}`;
  throw new Problem(400, `${field}: ${message}`, { errors: [{ field, message }] });
}
