// Reads the calls of a client: headers, arguments and messages, as they were sent over the network.
import type { CallRecord } from '@sealpost/contract/workbench';
import { Deviation } from './verdict.ts';

/** Returns the value of a header; undefined if the call has none. */
export function headerOf(call: CallRecord, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return call.headers.find(([header]) => header?.toLowerCase() === wanted)?.[1];
}

/** Returns the arguments of a call. */
export function argumentsOf(call: CallRecord): readonly unknown[] {
  const value = jsonOf(call);
  if (Array.isArray(value)) return value;
  throw new Deviation(`a JSON array of arguments as the body of ${nameOf(call)}`, call.body);
}

/** Returns an argument of a call that must be a struct. */
export function structOf(call: CallRecord, index = 0): Fields {
  const value = argumentsOf(call)[index];
  if (isFields(value)) return value;
  throw new Deviation(`a struct as argument ${index + 1} of ${nameOf(call)}`, call.body);
}

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A call of sendMessage, with the parts that scenarios check. */
export interface Send {
  readonly call: CallRecord;
  readonly reqSeq: unknown;
  readonly message: Fields;
  readonly text: string | undefined;
  readonly sealed: boolean;
}

export function sendOf(call: CallRecord): Send {
  const [reqSeq] = argumentsOf(call);
  const message = structOf(call, 1);
  const { text, chunks } = message;
  return {
    call,
    reqSeq,
    message,
    text: typeof text === 'string' ? text : undefined,
    sealed: Array.isArray(chunks) && chunks.length > 0,
  };
}

/** Returns a parameter in the query of a call. */
export function queryOf(call: CallRecord, name: string): string | undefined {
  return new URL(call.path, 'http://gateway').searchParams.get(name) ?? undefined;
}

/** Returns the result in the answer of a call; undefined if there is none. */
export function resultOf(call: CallRecord): Fields | undefined {
  try {
    const answer: unknown = JSON.parse(call.answer);
    return isFields(answer) && isFields(answer.data) ? answer.data : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the milliseconds from one call to another. */
export const gapOf = (first: CallRecord, second: CallRecord): number =>
  Date.parse(second.time) - Date.parse(first.time);

/** Returns the milliseconds between each call and the next. */
export const gapsOf = (calls: readonly CallRecord[]): number[] =>
  calls.flatMap((call, index) => {
    const next = calls[index + 1];
    return next ? [gapOf(call, next)] : [];
  });

/** Returns the name of the endpoint of a call, without its service. */
export const nameOf = (call: CallRecord): string => call.endpoint?.split('.').at(-1) ?? call.path;

export function jsonOf(call: CallRecord): unknown {
  try {
    return JSON.parse(call.body);
  } catch {
    throw new Deviation(`JSON as the body of ${nameOf(call)}`, call.body);
  }
}
