// Changes the account itself: its password, its user id, e-mail address and phone number, and its end. Each call asks
// for the password, because a stolen session must not be enough to take an account away.
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

/** New identifiers. One that is not given stays; an empty e-mail address or phone number is removed. */
export interface IdentifierChanges extends OwnIdentifiers {
  readonly password: string;
}

export interface OwnAccount {
  /**
   * Replaces the password. The keys of the account and their backup stay as they are: the backup has a passphrase of its
   * own.
   * @throws GatewayError `INVALID_IDENTITY_CREDENTIAL` if the password is wrong; `ILLEGAL_ARGUMENT` if a rule for
   * passwords does not allow the new one
   */
  changePassword(change: PasswordChange): Promise<void>;
  /**
   * Changes the user id, e-mail address or phone number, and returns all of them.
   * @throws GatewayError `INVALID_IDENTITY_CREDENTIAL` if the password is wrong; `INVALID_STATE` if another account has
   * one of them; `ILLEGAL_ARGUMENT` if one breaks a rule. `parameterMap.field` names it.
   */
  changeIdentifiers(changes: IdentifierChanges): Promise<OwnIdentifiers>;
  /**
   * Deletes the account, all its sessions, and what this device keeps of it. Nobody can undo that.
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
        // The answer of an earlier try was lost: the account is gone, as the caller wanted.
        if (!(error instanceof GatewayError && error.accountDeleted)) throw error;
      });
      await gateway.session.end();
      if (mid !== undefined) await keyStore.forget(mid);
    },
  };
}
