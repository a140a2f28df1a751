// Accounts: the exports of the slice.

export {
  AccountConflict,
  accountRules,
  checkIdentifiers,
  checkNewIdentifiers,
  checkPassword,
  InvalidAccount,
  type NewAccount,
  normalEmail,
  normalPhone,
  normalUserid,
  type PlannedAccount,
  useridProblem,
} from './account-input.ts';
export {
  type Account,
  type AccountJudgement,
  type Accounts,
  type AccountsDeps,
  type ChangeHook,
  createAccounts,
} from './accounts.ts';
export type { Credential } from './credential.ts';
export type { AccountFacts } from './known-accounts.ts';
export { holdLiving, type Identifiers } from './own-changes.ts';
export { createPasswords, type Passwords } from './passwords.ts';
export { accountIdsAfter } from './queries.ts';
