// The bodies of error responses, as examples in the documents.
import { type ErrorEntry, type ErrorName, errors } from '@sealpost/contract';
import type { JsonObject } from './json-schema.ts';

const APPLICATION_ERROR = { code: 10051, message: 'RESPONSE_ERROR' } as const;
const HTTP_ERROR = 10052;

/** Returns the entry of an error with the type `ErrorEntry` instead of its literal type. */
export const errorEntry = (name: ErrorName): ErrorEntry => errors[name];

export function errorBody(name: ErrorName): JsonObject {
  const { exception, code, http, reason } = errorEntry(name);
  if (exception !== 'gateway') return { ...APPLICATION_ERROR, data: exceptionData(name) };
  return code === HTTP_ERROR ? { code, message: reason, data: { statusCode: http } } : { code, message: reason };
}

function exceptionData(name: ErrorName): JsonObject {
  const { exception, code, reason } = errorEntry(name);
  const struct = { name: exception, message: exception };
  if (exception === 'SecondaryQrCodeException') return { ...struct, code, alertMessage: reason };
  if (exception === 'RejectedException') return { ...struct, rejectionReason: code, hint: reason };
  return { ...struct, code, reason, parameterMap: null };
}

/** Returns the number that identifies the error: the inner code of an exception, or the outer code of the gateway. */
export const errorNumber = (name: ErrorName): string => String(errorEntry(name).code);
