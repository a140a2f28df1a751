// The devices of the account. The code is loaded at the first use.
import { deferred } from '../deferred.ts';
import type { Gateway } from '../gateway/calls.ts';
import type { KeyStore } from '../key-store/key-store.ts';
import type { Devices } from './devices.ts';

export type { DeviceScreen, Devices, KeyOffer } from './devices.ts';

const VERBS = [
  'pending',
  'scan',
  'offer',
  'approve',
  'submitPin',
  'deny',
  'sessions',
  'rename',
  'revoke',
  'revokeOthers',
] as const;

export const createDevices = (gateway: Gateway, keyStore: KeyStore): Devices =>
  deferred(VERBS, async () => (await import('./devices.ts')).devicesOn(gateway, keyStore));
