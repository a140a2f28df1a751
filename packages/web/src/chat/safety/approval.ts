// The steps in which a person lets a new device in: who it is, its PIN, the words. Pure.
import { loginTypes, type PendingLogin } from '@sealpost/contract';
import type { KeyOffer } from '@sealpost/sdk';

/**
 * `about`: who wants in. `pin`: type the PIN of the new device. `words`: compare the words before keys are handed over.
 * `lacks-keys`: this browser cannot help.
 */
export type ApprovalStep = 'about' | 'lacks-keys' | 'pin' | 'words' | 'done';

export interface Approval {
  readonly login: PendingLogin;
  /** The address in the code, for a login by QR code. */
  readonly address?: string | undefined;
}

/** Returns whether a login asks for the keys, so that it can only be confirmed by a device that has them. */
export const asksForKeys = ({ login }: Approval): boolean => login.loginType === loginTypes.ID_CREDENTIAL_WITH_E2EE;

export const firstStep = (approval: Approval, hasKeys: boolean): ApprovalStep =>
  asksForKeys(approval) && !hasKeys ? 'lacks-keys' : 'about';

/** Returns the step after the PIN was typed. */
export const afterPin = (offer: KeyOffer | undefined): ApprovalStep => (offer ? 'words' : 'done');

/** Returns the logins that wait for a person here, the oldest first. Those by QR code are asked for where they were scanned. */
export const waitingLogins = (pending: readonly PendingLogin[]): PendingLogin[] =>
  pending
    .filter(({ kind, state }) => kind === 'CREDENTIAL' && state === 'waiting')
    .sort((one, other) => Number(one.requestedTime) - Number(other.requestedTime));
