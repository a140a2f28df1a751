// The JSON envelope of answers and errors. Some clients depend on the order of its keys.
import { type ApiError, type ErrorEntry, errors } from '@sealpost/contract';

const RESPONSE_ERROR = 10051;
const HTTP_ERROR = 10052;

export const success = (dataJson: string): string => `{"code":0,"message":"OK","data":${dataJson}}`;

/** Returns the body of an error that clients recognize by its HTTP status. */
export const httpFailure = (statusCode: number, reason: string): string =>
  JSON.stringify({ code: HTTP_ERROR, message: 'RESPONSE_HTTP_ERROR', data: { statusCode, reason } });

/** Returns the body of an error. */
export function failure(error: ApiError): string {
  const entry: ErrorEntry = errors[error.code];
  if (entry.exception === 'gateway') {
    if (entry.code === HTTP_ERROR) return httpFailure(entry.http, error.reason);
    // The message is the fixed text of the error. Only errors about the form of a request say in the message what is
    // wrong.
    const message =
      error.code === 'REQUEST_SCHEMA' || error.code === 'REQUEST_ARGUMENT_TYPE' ? error.reason : entry.reason;
    return JSON.stringify({ code: entry.code, message, data: { reason: error.reason } });
  }
  return JSON.stringify({ code: RESPONSE_ERROR, message: 'RESPONSE_ERROR', data: exceptionOf(entry, error) });
}

function exceptionOf(entry: ErrorEntry, { reason, parameterMap }: ApiError): Record<string, unknown> {
  const name = { name: entry.exception, message: entry.exception };
  switch (entry.exception) {
    case 'SecondaryQrCodeException':
      return { ...name, code: entry.code, alertMessage: reason };
    case 'RejectedException':
      return { ...name, code: entry.code, rejectionReason: entry.code, hint: reason, reason };
    default:
      return { ...name, code: entry.code, reason, parameterMap };
  }
}

/** Returns whether clients recognize an error by its HTTP status. Every path may answer with such an error. */
export const isHttpError = (error: ApiError): boolean => {
  const entry: ErrorEntry = errors[error.code];
  return entry.exception === 'gateway' && entry.code === HTTP_ERROR;
};
