// Turns refusals by the rules for accounts into errors of the error table. `parameterMap.field` names the argument, so
// that a client can show the error there.
import { ApiError } from '@sealpost/contract';
import { AccountConflict, InvalidAccount } from '../accounts/index.ts';

/**
 * Runs a check of new values. An error names the field of the request.
 * @param fields the fields of the request, by the names that the rules use for them
 * @throws ILLEGAL_ARGUMENT for the first value that breaks a rule
 */
export function checked<T>(check: () => T, fields: Readonly<Record<string, string>> = {}): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof InvalidAccount)) throw error;
    const [first] = error.errors;
    const field = fields[first?.field ?? ''] ?? first?.field ?? '';
    throw new ApiError('ILLEGAL_ARGUMENT', `request.${field} ${first?.message}`, { field });
  }
}

/**
 * Throws INVALID_STATE if the error says that another account has the identifier; otherwise throws the error itself.
 */
export function taken(error: unknown): never {
  if (!(error instanceof AccountConflict)) throw error;
  throw new ApiError('INVALID_STATE', `request.${error.field}: ${error.message}`, { field: error.field });
}

/** Returns the refusal for official accounts, which only the operator may change. */
export const ofOperator = (what: string): ApiError =>
  new ApiError('FEATURE_RESTRICTED', `this is an official account: only the operator can ${what}`);
