// Finds the error in an answer of the gateway, and what the error means.
import { type ErrorName, errors, talkCodes } from '@sealpost/contract';
import { knownError } from '@sealpost/sdk/known-errors';
import { fieldOf, numberOf, parsedJson, textOf } from './loose-json.ts';

/** An error that the gateway answered, with its meaning. */
export interface AnswerError {
  /**
   * The code inside `data` if the answer has an exception. Otherwise the gateway's `code`, or the HTTP status if there
   * is no code.
   */
  readonly code: number;
  /** The name in the error table; undefined if the table has no such error. */
  readonly name?: ErrorName;
  /** The reason that the server gave. */
  readonly message: string;
  readonly meaning: string;
  /** True if the same call may succeed later. */
  readonly retry: boolean;
  /** Advice to the caller about the error. */
  readonly advice: string;
}

const talkNames = new Map<number, string>(Object.entries(talkCodes).map(([name, code]) => [code, name]));

/** Returns the error of an answer; undefined if the answer is a success. */
export function errorOf(status: number, text: string): AnswerError | undefined {
  const body = parsedJson(text);
  const code = numberOf(fieldOf(body, 'code'));
  if (status < 400 && (code === undefined || code === 0)) return undefined;
  const data = fieldOf(body, 'data');
  const exception = textOf(fieldOf(data, 'name'));
  const inner = numberOf(fieldOf(data, 'code'));
  const told = ['reason', 'alertMessage'].map((name) => textOf(fieldOf(data, name))).find(Boolean);
  const known = knownError(status, {
    ...(code !== undefined && { code }),
    data: { ...(exception !== undefined && { name: exception }), ...(inner !== undefined && { code: inner }) },
  });
  const shown = {
    code: inner ?? code ?? status,
    message: told ?? textOf(fieldOf(body, 'message')) ?? `HTTP ${status}`,
  };
  if (known) {
    const { name, retry, advice } = known;
    return { ...shown, name, meaning: errors[name].doc, retry, advice };
  }
  const talk = exception === 'TalkException' && inner !== undefined ? talkNames.get(inner) : undefined;
  return {
    ...shown,
    meaning:
      talk === undefined
        ? `Not in the error table. HTTP ${status}.`
        : `Talk code ${talk}, which is not in the error table.`,
    retry: status >= 500,
    advice: status >= 500 ? 'The server failed, or something before it: try again later.' : '',
  };
}
