// Checks the names and the password of an account.
import { isMid, limits } from '@sealpost/contract';
import { commonPasswords } from './common-passwords.ts';

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Error that lists every input field that breaks a rule. */
export class InvalidAccount extends Error {
  override name = 'InvalidAccount';
  readonly errors: readonly FieldError[];
  constructor(errors: readonly FieldError[]) {
    super(errors.map((error) => `${error.field}: ${error.message}`).join('; '));
    this.errors = errors;
  }
}

export type UniqueField = 'userid' | 'email' | 'phone';

/** Error for a userid, e-mail address or phone number that another account has. */
export class AccountConflict extends Error {
  override name = 'AccountConflict';
  readonly field: UniqueField;
  constructor(field: UniqueField, value: string) {
    super(`the ${field} ${JSON.stringify(value)} is taken`);
    this.field = field;
  }
}

export type AccountKind = 'user' | 'official';

export interface NewAccount {
  readonly userid: string;
  readonly password: string;
  readonly displayName: string;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly regionCode?: string | undefined;
  readonly kind?: AccountKind | undefined;
}

export interface CheckedAccount {
  readonly userid: string;
  readonly password: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly regionCode: string;
  readonly kind: AccountKind;
}

export const normalUserid = (text: string): string => text.trim().toLowerCase();
export const normalEmail = (text: string): string => text.trim().toLowerCase();
export const normalPhone = (text: string): string => text.replace(/[\s().-]/g, '');

const USERID = /^[a-z0-9][a-z0-9._-]{0,39}$/;
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
const PHONE = /^\+[1-9]\d{5,14}$/;
const REGION = /^[A-Z]{2}$/;
const CONTROL = /\p{Cc}/u;

const MAX_EMAIL = 254;
const MIN_PASSWORD = 8;
/**
 * Longest password in bytes. It is limited because one RSA block must hold the password, the identifier and their
 * lengths.
 */
const MAX_PASSWORD_BYTES = 128;
const DEFAULT_REGION = 'JP';

/** Returns the input in normal form. Throws `InvalidAccount` with every field that breaks a rule. */
export function checkAccount(input: NewAccount): CheckedAccount {
  const checked: CheckedAccount = {
    userid: normalUserid(input.userid),
    password: input.password,
    displayName: input.displayName.trim(),
    email: input.email ? normalEmail(input.email) : null,
    phone: input.phone ? normalPhone(input.phone) : null,
    regionCode: (input.regionCode ?? DEFAULT_REGION).toUpperCase(),
    kind: input.kind ?? 'user',
  };
  const errors: FieldError[] = [];
  const require = (field: string, ok: boolean, message: string): void => {
    if (!ok) errors.push({ field, message });
  };
  require('userid', USERID.test(checked.userid) &&
    !isMid(checked.userid), 'must be 1 to 40 of a-z, 0-9, ".", "_" and "-", beginning with a letter or digit');
  require('displayName', isDisplayName(
    checked.displayName,
  ), `must be 1 to ${limits.displayName.value} characters without control characters`);
  if (checked.email !== null)
    require('email', checked.email.length <= MAX_EMAIL && EMAIL.test(checked.email), 'must look like name@host');
  if (checked.phone !== null)
    require('phone', PHONE.test(checked.phone), 'must be in international form, like +81312345678');
  require('regionCode', REGION.test(checked.regionCode), 'must be two letters, like JP');
  errors.push(...passwordErrors(checked.password, checked.userid));
  if (errors.length > 0) throw new InvalidAccount(errors);
  return checked;
}

/** Throws `InvalidAccount` if the account may not use the password. */
export function checkPassword(password: string, userid: string): void {
  const errors = passwordErrors(password, userid);
  if (errors.length > 0) throw new InvalidAccount(errors);
}

function passwordErrors(password: string, userid: string): FieldError[] {
  const problem = passwordProblem(password, userid);
  return problem ? [{ field: 'password', message: problem }] : [];
}

function passwordProblem(password: string, userid: string): string | undefined {
  if ([...password].length < MIN_PASSWORD) return `must have at least ${MIN_PASSWORD} characters`;
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return `must have at most ${MAX_PASSWORD_BYTES} bytes`;
  const plain = password.toLowerCase();
  if (commonPasswords.has(plain)) return 'is one of the most common passwords';
  if (plain === userid) return 'must differ from the userid';
  return undefined;
}

function isDisplayName(text: string): boolean {
  const length = [...text].length;
  return length >= 1 && length <= limits.displayName.value && !CONTROL.test(text) && text.isWellFormed();
}
