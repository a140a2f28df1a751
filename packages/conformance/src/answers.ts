// Checks answers against the contract. A success must have the right envelope, and its result must fit the method's
// schema. A refusal must have the right form, and the method must declare its error.
import {
  always,
  type ErrorEntry,
  type ErrorName,
  errors,
  type MethodName,
  type MethodResult,
} from '@sealpost/contract';
import { errorStatus, type HttpEndpoint, methodOf } from '@sealpost/contract/schemas';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { expectThat, Mismatch, shown } from './mismatch.ts';
import { errorsOf, type RawAnswer } from './raw-client.ts';

const validators = new WeakMap<TSchema, Validator>();

export function expectSchema(what: string, schema: TSchema, value: unknown): void {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  if (validator.Check(value)) return;
  const [error] = validator.Errors(value);
  throw new Mismatch(
    `${what} to fit its schema: ${error?.instancePath || 'the value'} ${error?.message}`,
    shown(value),
  );
}

/** Requires HTTP 200 and an envelope that every kind of client reads as a success. Returns its `data`. */
export function expectSuccess(what: string, answer: RawAnswer): unknown {
  const { status, body } = answer;
  expectThat(
    status === 200 && body.code === 0 && body.message === 'OK',
    `${what} to answer HTTP 200 with {"code":0,"message":"OK"}`,
    `HTTP ${status} ${answer.text}`,
  );
  expectThat(/^application\/json/.test(answer.headers['content-type'] ?? ''), `${what} to answer JSON`, answer.headers);
  return body.data ?? null;
}

/** Requires that the answer is a success, and returns its result. */
export function expectResult<N extends MethodName>(method: N, answer: RawAnswer): MethodResult<N> {
  const data = expectSuccess(method, answer);
  expectSchema(`the result of ${method}`, methodOf(method).result, data);
  return data as MethodResult<N>;
}

/** Requires that the answer is the error with this name. Returns the reason in the answer. */
export function expectError(what: string, answer: RawAnswer, name: ErrorName, endpoint?: HttpEndpoint): string {
  const { exception, code }: ErrorEntry = errors[name];
  const outer = exception === 'gateway' ? `code ${code}` : `code 10051 and ${exception} ${code}`;
  expectThat(
    errorsOf(answer, endpoint).includes(name),
    `${what} to be refused with HTTP ${errorStatus(name, endpoint)}, ${outer} (${name})`,
    `HTTP ${answer.status} ${answer.text}`,
  );
  return expectErrorForm(what, answer);
}

function expectErrorForm(what: string, { body, text }: RawAnswer): string {
  expectThat(typeof body.message === 'string', `the refusal of ${what} to carry a message`, text);
  if (body.code !== 10051) return body.message;
  const data = body.data as { reason?: unknown; alertMessage?: unknown } | undefined;
  const reason = data?.reason ?? data?.alertMessage;
  expectThat(typeof reason === 'string' && reason !== '', `the refusal of ${what} to tell a reason`, text);
  return reason;
}

/** Returns how an answer breaks the contract; undefined if it does not. The call may succeed or fail. */
export function complaint(method: MethodName, answer: RawAnswer): string | undefined {
  if (answer.status >= 500) return `HTTP ${answer.status}`;
  try {
    if (answer.status === 200) {
      expectResult(method, answer);
      return undefined;
    }
    const names = errorsOf(answer);
    const allowed: readonly string[] = [...always, ...methodOf(method).errors];
    expectThat(names.length > 0, 'an error of the table', answer.text);
    expectThat(
      names.some((name) => allowed.includes(name)),
      'an error that the method declares',
      names,
    );
    expectErrorForm(method, answer);
    return undefined;
  } catch (error) {
    if (error instanceof Mismatch) return error.message;
    throw error;
  }
}
