// Why a login failed, in words for the person who tries.
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { CallError } from '../../client/remote.ts';

export function loginProblem(error: unknown): string {
  if (!(error instanceof CallError)) return String(error);
  const { error: name, kind } = error.fields;
  if (error.name === 'NetworkError') return i18n._(msg`The server cannot be reached. Check the connection.`);
  if (name === 'INVALID_IDENTITY_CREDENTIAL' || name === 'NOT_FOUND') {
    return i18n._(msg`User id or password is wrong.`);
  }
  if (kind === 'refused') return i18n._(msg`The other device refused, or nobody confirmed in time. Try again.`);
  return error.message;
}
