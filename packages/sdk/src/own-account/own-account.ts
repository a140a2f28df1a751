// Changes the account itself: its password, its user id, e-mail address and phone number. It can also delete the
// account. Each call needs the password, because a stolen session must not be enough to take over the account.
import type { MethodArgs, OwnIdentifiers } from '@sealpost/contract';
import type { Gateway } from '../gateway/calls.ts';
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';
import type { KeyStore } from '../key-store/key-store.ts';

export interface PasswordChange {
  readonly password: string;
  readonly newPassword: string;
  /**
   * True to end all other sessions of the account, and to forget the certificates of their devices. Those devices then
   * need the new password and a confirmation.
   */
  readonly endOtherSessions?: boolean;
}

/**
 * New identifiers. An identifier that is not given does not change. If an e-mail address or phone number is empty, it
 * is removed.
 */
export interface IdentifierChanges extends OwnIdentifiers {
  readonly password: string;
}

export interface OwnAccount {
  /**
   * Replaces the password. The keys of the account and their backup stay as they are: the backup has a separate
   * passphrase.
   * @throws GatewayError `INVALID_IDENTITY_CREDENTIAL` if the password is wrong; `ILLEGAL_ARGUMENT` if the new password
   * breaks a rule
   */
  changePassword(change: PasswordChange): Promise<void>;
  /**
   * Changes the user id, e-mail address or phone number. Returns all identifiers.
   * @throws GatewayError `INVALID_IDENTITY_CREDENTIAL` if the password is wrong; `INVALID_STATE` if another account has
   * one of the new identifiers; `ILLEGAL_ARGUMENT` if one breaks a rule. `parameterMap.field` names the identifier.
   */
  changeIdentifiers(changes: IdentifierChanges): Promise<OwnIdentifiers>;
  /**
   * Deletes the account, all its sessions, and its data on this device. This cannot be undone.
   * @throws GatewayError `INVALID_IDENTITY_CREDENTIAL` if the password is wrong; `FEATURE_RESTRICTED` for an official
   * account
   */
  delete(password: string): Promise<void>;
}

export interface OwnAccountDeps {
  readonly gateway: Gateway;
  readonly ports: Pick<ClientPorts, 'timers' | 'random'>;
  readonly keyStore: Pick<KeyStore, 'forget'>;
  readonly nextReqSeq: () => number;
  readonly closing: AbortSignal;
}

const RETRY: Backoff = { initialMs: 300, maxMs: 5000, multiplier: 2, jitter: 0.5 };
const TRIES = 4;

export function ownAccountOn({ gateway, ports, keyStore, nextReqSeq, closing }: OwnAccountDeps): OwnAccount {
  /** Repeats a call whose answer was lost. The server answers a repeat as it did the first time. */
  async function repeated<T>(call: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await call();
      } catch (error) {
        const isLimit = error instanceof GatewayError && error.error === 'EXCESSIVE_ACCESS';
        if (!isPassing(error) || isLimit || attempt + 1 === TRIES || closing.aborted) throw error;
        await pause(ports.timers, backoffDelay(RETRY, attempt, ports.random), closing);
      }
    }
  }

  return {
    async changePassword({ password, newPassword, endOtherSessions = false }) {
      const request = { reqSeq: nextReqSeq(), password, newPassword, endOtherSessions };
      await repeated(() => gateway.call('PrimaryDeviceService.changePassword', request));
    },
    changeIdentifiers(changes) {
      const request: MethodArgs<'PrimaryDeviceService.changeIdentifiers'>[0] = { reqSeq: nextReqSeq(), ...changes };
      return repeated(() => gateway.call('PrimaryDeviceService.changeIdentifiers', request));
    },
    async delete(password) {
      const mid = gateway.session.current?.mid;
      await repeated(() => gateway.call('PrimaryDeviceService.deleteAccount', { password })).catch((error) => {
        // If the answer of an earlier attempt was lost, the account is already deleted, as the caller wanted.
        if (!(error instanceof GatewayError && error.accountDeleted)) throw error;
      });
      await gateway.session.end();
      if (mid !== undefined) await keyStore.forget(mid);
    },
  };
}
