// Checks of mids. The schema of an argument accepts any text, because some methods treat an id of another form as the
// id of nobody.
import { ApiError, isMid, midPrefix } from '@sealpost/contract';

const forms = {
  any: 'the mid of a user, group or room: u, c or r and 32 hex digits',
  user: 'the mid of a user: u and 32 hex digits',
  room: 'the mid of a room: r and 32 hex digits',
};

export const invalidMid = (field: string, mid: string, form: keyof typeof forms = 'any'): ApiError =>
  new ApiError('INVALID_MID', `invalid mid: ${field} ${JSON.stringify(mid.slice(0, 40))} is not ${forms[form]}`);

/**
 * Throws if the text is not a mid.
 * @throws INVALID_MID
 */
export function requireMid(field: string, mid: string): void {
  if (!isMid(mid)) throw invalidMid(field, mid);
}

/**
 * Throws if the text is not the mid of a user.
 * @throws INVALID_MID
 */
export function requireUserMid(field: string, mid: string): void {
  if (!isMid(mid) || !mid.startsWith(midPrefix.user)) throw invalidMid(field, mid, 'user');
}
