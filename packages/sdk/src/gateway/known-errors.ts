// What the contract's table says about the errors of the gateway. It is loaded with the first refused call.
import { type ErrorEntry, type ErrorName, errors } from '@sealpost/contract';
import type { ErrorBody, KnownError } from './errors.ts';

/** Advice for the user, for errors whose text in the contract's table does not say what to do. */
const advices: Partial<Record<ErrorName, string>> = {
  REQUEST_NEED_LOGIN: 'Log in first.',
  REQUEST_INVALID_HMAC:
    "The signature does not match: use a build token of the server's SEALPOST_BUILD_TOKENS and let nothing between change the path or the body.",
  AUTH_INVALID_REQUEST: 'The session has ended: log in again.',
  SESSION_LOGGED_OUT: 'The session was logged out, revoked or replaced: log in again.',
  AUTHENTICATION_FAILED: 'The session has ended: log in again.',
  INVALID_IDENTITY_CREDENTIAL: 'Check the user id and the password.',
  NOT_FOUND_PATH: 'The address is not that of this gateway, or its version is older.',
};

const keyOf = (entry: ErrorEntry): string => `${entry.exception}:${entry.code}`;
const isHttpMirror = (entry: ErrorEntry): boolean => entry.code === errors.NOT_FOUND_PATH.code;
const entries = Object.entries(errors) as [ErrorName, ErrorEntry][];
const names = new Map(entries.map(([name, entry]) => [keyOf(entry), name]));
const namesByStatus = new Map(entries.filter(([, e]) => isHttpMirror(e)).map(([name, e]) => [e.http, name]));

/** Returns what the table says about an answer; undefined for an error that this version does not know. */
export function knownError(http: number, body: ErrorBody): KnownError | undefined {
  const name = nameOf(http, body);
  return name && { name, retry: errors[name].retry, advice: advices[name] ?? errors[name].doc };
}

function nameOf(http: number, body: ErrorBody): ErrorName | undefined {
  if (body.data?.name !== undefined) return names.get(`${body.data.name}:${body.data.code}`);
  if (body.code === errors.NOT_FOUND_PATH.code) return namesByStatus.get(http);
  return names.get(`gateway:${body.code}`);
}
