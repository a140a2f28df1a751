// Validators of schemas. Each is compiled once in a process, even if several gateways run in it.
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

type ValidatorOf<S extends TSchema> = Validator<Record<never, never>, S>;

const compiled = new WeakMap<TSchema, object>();

/** Returns a function that compiles the validator of a schema at its first call. */
export const validatorOf =
  <S extends TSchema>(schema: S) =>
  (): ValidatorOf<S> => {
    const known = compiled.get(schema) ?? Compile(schema);
    compiled.set(schema, known);
    return known as ValidatorOf<S>;
  };
