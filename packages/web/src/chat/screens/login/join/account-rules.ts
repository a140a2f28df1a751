// Finds the problems in the fields of a new account, by the rules that the server sent.
import type { RegistrationOffer } from '@sealpost/contract';
import type { FieldName } from './refusal.ts';

export interface AccountValues {
  readonly userid: string;
  readonly password: string;
  readonly again: string;
  readonly displayName: string;
}

export type FieldProblem = 'empty' | 'rule' | 'long' | 'differs';
export type Problems = Readonly<Partial<Record<FieldName | 'again', FieldProblem>>>;

/** Returns a user id in the form in which the server stores it. */
export const normalUserid = (typed: string): string => typed.trim().toLowerCase();

/** Returns the problems by field. A valid field has no entry. */
export function problemsOf(
  { userid, password, again, displayName }: AccountValues,
  rules: RegistrationOffer,
): Problems {
  const problems = {
    userid: useridProblem(normalUserid(userid), rules.userid),
    displayName: displayNameProblem([...displayName.trim()].length, rules.displayName.characters),
    password: passwordProblem(password, normalUserid(userid), rules.password),
    again: again === password ? undefined : 'differs',
  } as const;
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
}

function useridProblem(userid: string, { pattern }: RegistrationOffer['userid']): FieldProblem | undefined {
  if (userid === '') return 'empty';
  return new RegExp(pattern).test(userid) ? undefined : 'rule';
}

function displayNameProblem(length: number, most: number): FieldProblem | undefined {
  if (length === 0) return 'empty';
  return length > most ? 'long' : undefined;
}

function passwordProblem(
  password: string,
  userid: string,
  { leastCharacters, mostBytes }: RegistrationOffer['password'],
): FieldProblem | undefined {
  if (password === '') return 'empty';
  if (new TextEncoder().encode(password).length > mostBytes) return 'long';
  return [...password].length < leastCharacters || password.toLowerCase() === userid ? 'rule' : undefined;
}
