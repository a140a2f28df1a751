// Loads the second factors and recovery codes of the user.
import type { AdminResult } from '@sealpost/sdk/admin';
import { adminClient } from '../client/session.ts';
import { type Loaded, useLoaded } from '../client/use-loaded.ts';

export type OwnFactors = Loaded<AdminResult<'listSecondFactors'>>;

export const useOwnFactors = (): OwnFactors => useLoaded('own-factors', () => adminClient().listSecondFactors());
