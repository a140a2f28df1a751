// Asks a logged-in caller for the password again, before a change that a stolen session must not make.
import { ApiError } from '@sealpost/contract';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Accounts, Credential, Passwords } from '../accounts/index.ts';
import { type Sessions, sessionView, type TellDevices } from '../sessions/index.ts';
import type { Attempt } from './attempt-limit.ts';
import type { Failures } from './failures.ts';

export interface ProvePasswordDeps {
  readonly store: Store;
  readonly accounts: Pick<Accounts, 'credentialOf'>;
  readonly passwords: Passwords;
  readonly sessions: Pick<Sessions, 'list'>;
  readonly tellDevices: TellDevices;
  readonly failures: Failures;
}

export interface Proof {
  readonly account: Credential;
  /** True if the password was wrong, but the alternative password was right. */
  readonly byOther: boolean;
}

/**
 * Returns the caller's account if the password is right. Wrong passwords are counted like those of logins, and the
 * sessions of the account are notified.
 * @param other another password that may be right instead, for a call that may be a repeat
 * @throws INVALID_IDENTITY_CREDENTIAL if the password is wrong
 * @throws EXCESSIVE_ACCESS after too many wrong passwords
 */
export type ProvePassword = (call: UserCall, password: string, other?: string) => Promise<Proof>;

/**
 * Failures of all sessions of an account are counted together, because a stolen session can open further ones. They are
 * counted separately from failed logins. So strangers who guess passwords at the login cannot block the owner here.
 */
const SESSIONS = 'its sessions';

export const createProvePassword =
  (deps: ProvePasswordDeps): ProvePassword =>
  async (call, password, other) => {
    const { store, accounts, passwords, failures } = deps;
    const { accountId } = call.caller;
    const account = await store.read((reader) => accounts.credentialOf(reader, accountId));
    if (!account) throw new ApiError('SESSION_LOGGED_OUT');
    const attempt = { who: `account ${accountId}`, device: SESSIONS, address: call.remoteAddress };
    await failures.check(attempt);
    let counted: Attempt | undefined;
    const matches = await passwords.verify(account.passwordHash, password, async () => {
      counted = await failures.count(attempt);
    });
    const byOther = !matches && other !== undefined && (await passwords.verify(account.passwordHash, other));
    if (!matches && !byOther) {
      await tellOfRefusal(deps, call);
      throw new ApiError('INVALID_IDENTITY_CREDENTIAL', 'the password is not that of the account');
    }
    await counted?.takeBack();
    return { account, byOther };
  };

/** Notifies the sessions of the account, and names the session that gave a wrong password. */
const tellOfRefusal = ({ store, sessions, tellDevices }: ProvePasswordDeps, { caller }: UserCall): Promise<void> =>
  store.transact(async (tx) => {
    const session = (await sessions.list(tx, caller.accountId)).find(({ id }) => id === caller.sessionId);
    if (!session) return;
    await tellDevices(tx, caller.accountId, 'password-refused', String(session.id), sessionView(session));
  });
