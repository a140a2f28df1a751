// The methods of a client that open an account. Their code is loaded at the first use.
import { deferred } from '../deferred.ts';
import type { Registration, RegistrationOptions } from './registration.ts';

const VERBS = ['offer', 'invite', 'checkUserid', 'challenge', 'solvedChallenge', 'register'] as const;

export type RegistrationVerbs = Pick<Registration, (typeof VERBS)[number]>;

export const createRegistration = (options: RegistrationOptions): RegistrationVerbs =>
  deferred(VERBS, async () => new (await import('./registration.ts')).Registration(options));
