// Accounts: the exports of the slice.

export {
  AccountConflict,
  InvalidAccount,
  type NewAccount,
  normalEmail,
  normalPhone,
  normalUserid,
} from './account-input.ts';
export {
  type Account,
  type Accounts,
  type AccountsDeps,
  type ChangeHook,
  type Credential,
  createAccounts,
} from './accounts.ts';
export type { AccountFacts } from './known-accounts.ts';
export { createPasswords, type Passwords } from './passwords.ts';
export { accountIdsAfter } from './queries.ts';
