// The exports of `@sealpost/sdk/registration`, for programs that open accounts without a client.
export type { CheckedUserid, RegistrationOffer, SeenInvite, SolvedChallenge } from '@sealpost/contract';
export {
  type InviteLink,
  type Newcomer,
  Registration,
  type RegistrationOptions,
  readInvite,
} from './registration.ts';
export { RegistrationError } from './registration-error.ts';
export type { SolveOptions } from './solve-challenge.ts';
