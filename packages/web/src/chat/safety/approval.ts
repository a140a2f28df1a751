// The steps in which a person lets a new device log in: look at the device, type its PIN, compare the words. All
// functions are pure.
import { loginTypes, type PendingLogin } from '@sealpost/contract';
import type { KeyOffer } from '@sealpost/sdk';

/**
 * `about`: shows which device wants to log in. `lacks-keys`: this browser cannot confirm the login, because it has no
 * keys to hand over. `pin`: the person types the PIN of the new device. `words`: the person compares the words before
 * keys are handed over.
 */
export type ApprovalStep = 'about' | 'lacks-keys' | 'pin' | 'words' | 'done';

export interface Approval {
  readonly login: PendingLogin;
  /** The address in the code, for a login by QR code. */
  readonly address?: string | undefined;
}

/** Returns true if a login asks for the account's keys. Then only a device with the keys can confirm it. */
export const asksForKeys = ({ login }: Approval): boolean => login.loginType === loginTypes.ID_CREDENTIAL_WITH_E2EE;

export const firstStep = (approval: Approval, hasKeys: boolean): ApprovalStep =>
  asksForKeys(approval) && !hasKeys ? 'lacks-keys' : 'about';

/** Returns the step after the PIN was typed. */
export const afterPin = (offer: KeyOffer | undefined): ApprovalStep => (offer ? 'words' : 'done');

/**
 * Returns the logins that wait for a person to confirm them, the oldest first. Leaves out logins by QR code: they are
 * confirmed on the device that scanned the code.
 */
export const waitingLogins = (pending: readonly PendingLogin[]): PendingLogin[] =>
  pending
    .filter(({ kind, state }) => kind === 'CREDENTIAL' && state === 'waiting')
    .sort((one, other) => Number(one.requestedTime) - Number(other.requestedTime));
