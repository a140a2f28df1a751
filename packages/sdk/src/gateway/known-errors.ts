// Looks up errors of the gateway in the contract's table. This module is loaded when the first call is refused.
import { accountDeleted, type ErrorName, errorNameOf, errors } from '@sealpost/contract';
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

/** Returns what the table says about an answer; undefined for an error that this version does not know. */
export function knownError(http: number, body: ErrorBody): KnownError | undefined {
  const name = errorNameOf(http, body);
  const advice = name && (advices[name] ?? errors[name].doc);
  const deleted = name === 'SESSION_LOGGED_OUT' && body.data?.parameterMap?.cause === accountDeleted.cause;
  return name && { name, retry: errors[name].retry, advice: deleted ? 'The account was deleted.' : (advice ?? '') };
}
