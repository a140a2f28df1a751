// The bodies of error responses, as examples in the documents.
import { type ErrorEntry, type ErrorName, errors } from '@sealpost/contract';
import type { JsonObject } from './json-schema.ts';

const APPLICATION_ERROR = { code: 10051, message: 'RESPONSE_ERROR' } as const;
const HTTP_ERROR = 10052;

/** Returns the entry of an error with the type `ErrorEntry` instead of its literal type. */
export const errorEntry = (name: ErrorName): ErrorEntry => errors[name];

/** Reasons as the server words them, for errors whose default reason says less than a real answer. */
const exampleReasons: { readonly [N in ErrorName]?: string } = {
  REQUEST_SCHEMA: 'argument 2, message, is missing',
  REQUEST_ARGUMENT_TYPE: 'reqSeq must be an integer, not the text "2"',
  NOT_FOUND_PATH: 'no endpoint at /api/talk/thrift/Talk/TalkService/unknown',
  METHOD_NOT_ALLOWED: 'GET is not POST',
  OVERLOADED: 'the store is unavailable, try again',
  UNKNOWN_ERROR: 'request 3f1c9a0b7d2e4856 failed; the log of the server says why',
};

/** Returns an example of the body of an error. */
export function errorBody(name: ErrorName): JsonObject {
  const { exception, code, http, reason: usual } = errorEntry(name);
  if (exception !== 'gateway') return { ...APPLICATION_ERROR, data: exceptionData(name) };
  const reason = exampleReasons[name] ?? usual;
  if (code === HTTP_ERROR) return { code, message: usual, data: { statusCode: http, reason } };
  const message = name === 'REQUEST_SCHEMA' || name === 'REQUEST_ARGUMENT_TYPE' ? reason : usual;
  return { code, message, data: { reason } };
}

function exceptionData(name: ErrorName): JsonObject {
  const { exception, code, reason } = errorEntry(name);
  const struct = { name: exception, message: exception };
  if (exception === 'SecondaryQrCodeException') return { ...struct, code, alertMessage: reason };
  if (exception === 'RejectedException') return { ...struct, rejectionReason: code, hint: reason, reason };
  return { ...struct, code, reason, parameterMap: null };
}

/** Returns the number that identifies the error: the inner code of an exception, or the outer code of the gateway. */
export const errorNumber = (name: ErrorName): string => String(errorEntry(name).code);
