// Checks the names and the password of an account.
import { isMid, limits } from '@sealpost/contract';
import type { FieldProblem } from '../../platform/json-api/problem.ts';
import { commonPasswords } from './common-passwords.ts';

/** Error that lists every input field that breaks a rule. */
export class InvalidAccount extends Error {
  override name = 'InvalidAccount';
  readonly errors: readonly FieldProblem[];
  constructor(errors: readonly FieldProblem[]) {
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

const MAX_USERID = 40;
const MAX_EMAIL = 254;
const MIN_PASSWORD = 8;
/**
 * Longest password in bytes. It is limited because one RSA block must hold the password, the identifier and their
 * lengths.
 */
const MAX_PASSWORD_BYTES = 128;
const DEFAULT_REGION = 'JP';

/** The rules for user ids, display names and passwords, for people who choose them. */
export const accountRules = {
  userid: { pattern: USERID.source, characters: MAX_USERID },
  displayName: { characters: limits.displayName.value },
  password: { leastCharacters: MIN_PASSWORD, mostBytes: MAX_PASSWORD_BYTES },
} as const;

/** Returns the rule that a userid in normal form breaks; undefined if it is valid. */
export const useridProblem = (userid: string): string | undefined =>
  USERID.test(userid) && !isMid(userid)
    ? undefined
    : `must be 1 to ${MAX_USERID} of a-z, 0-9, ".", "_" and "-", beginning with a letter or digit`;

interface Identifiers {
  readonly userid: string;
  readonly email: string;
  readonly phone: string;
}

/**
 * Returns identifiers in normal form. An empty text stands for an identifier that is not given. Throws
 * `InvalidAccount` with every identifier that breaks a rule.
 */
export function checkIdentifiers({ userid, email, phone }: Identifiers): Identifiers {
  const checked = { userid: normalUserid(userid), email: normalEmail(email), phone: normalPhone(phone) };
  const errors = identifierErrors({
    userid: checked.userid || null,
    email: checked.email || null,
    phone: checked.phone || null,
  });
  if (errors.length > 0) throw new InvalidAccount(errors);
  return checked;
}

const identifiers = ['userid', 'email', 'phone'] as const;

function identifierErrors({ userid, email, phone }: { readonly [K in UniqueField]: string | null }): FieldProblem[] {
  const messages = {
    userid: userid === null ? undefined : useridProblem(userid),
    email: email === null || (email.length <= MAX_EMAIL && EMAIL.test(email)) ? undefined : 'must look like name@host',
    phone: phone === null || PHONE.test(phone) ? undefined : 'must be in international form, like +81312345678',
  };
  return identifiers.flatMap((field) => {
    const message = messages[field];
    return message === undefined ? [] : [{ field, message, code: field }];
  });
}

/** Returns the input in normal form. Throws `InvalidAccount` with every field that breaks a rule. */
export function checkAccount(input: NewAccount): CheckedAccount {
  const { checked, errors } = judgeAccount(input);
  if (errors.length > 0) throw new InvalidAccount(errors);
  return { ...checked, password: input.password };
}

/** An account that may have no password yet. */
export interface PlannedAccount extends Omit<NewAccount, 'password'> {
  readonly password?: string | undefined;
}

/** Returns the input in normal form, without the password, and every field that breaks a rule. */
export function judgeAccount(input: PlannedAccount): {
  readonly checked: Omit<CheckedAccount, 'password'>;
  readonly errors: readonly FieldProblem[];
} {
  const checked = {
    userid: normalUserid(input.userid),
    displayName: input.displayName.trim(),
    email: input.email ? normalEmail(input.email) : null,
    phone: input.phone ? normalPhone(input.phone) : null,
    regionCode: (input.regionCode ?? DEFAULT_REGION).toUpperCase(),
    kind: input.kind ?? 'user',
  };
  const errors: FieldProblem[] = [];
  errors.push(...identifierErrors(checked));
  if (!isDisplayName(checked.displayName)) {
    const message = `must be 1 to ${limits.displayName.value} characters without control characters`;
    errors.push({ field: 'displayName', message, code: 'display-name' });
  }
  if (!REGION.test(checked.regionCode)) errors.push({ field: 'regionCode', message: 'must be two letters, like JP' });
  if (input.password !== undefined) errors.push(...passwordErrors(input.password, checked.userid));
  return { checked, errors };
}

/**
 * New identifiers of an account. If an identifier is absent here, it does not change. If an e-mail address or phone
 * number is empty, it is removed.
 */
export interface NewIdentifiers {
  readonly userid?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/** Checked changes of identifiers, in normal form. Null removes an identifier. */
export interface IdentifierChanges {
  readonly userid?: string;
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** Returns changes of identifiers in normal form. Throws `InvalidAccount` with every field that breaks a rule. */
export function checkNewIdentifiers({ userid, email, phone }: NewIdentifiers, password: string): IdentifierChanges {
  const checked: IdentifierChanges = {
    ...(userid !== undefined && { userid: normalUserid(userid) }),
    ...(email !== undefined && { email: normalEmail(email) || null }),
    ...(phone !== undefined && { phone: normalPhone(phone) || null }),
  };
  const errors = identifierErrors({ userid: null, email: null, phone: null, ...checked });
  const isPassword = checked.userid === password.toLowerCase();
  if (isPassword) errors.push({ field: 'userid', message: 'must differ from the password' });
  if (errors.length > 0) throw new InvalidAccount(errors);
  return checked;
}

/** Throws `InvalidAccount` if the account may not use the password. */
export function checkPassword(password: string, userid: string): void {
  const errors = passwordErrors(password, userid);
  if (errors.length > 0) throw new InvalidAccount(errors);
}

function passwordErrors(password: string, userid: string): FieldProblem[] {
  const problem = passwordProblem(password, userid);
  return problem ? [{ field: 'password', message: problem, code: 'password' }] : [];
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
