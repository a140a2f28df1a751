// The contract with all schemas: every method and its types at run time. Servers and tools import this module; clients
// need only the types.
import type { Static } from 'typebox';
import { chats } from './chats.ts';
import { contacts } from './contacts.ts';
import { devices } from './devices.ts';
import { keyBackup } from './key-backup.ts';
import { keyLog } from './key-log.ts';
import { login } from './login.ts';
import { messaging } from './messaging.ts';
import type { ArgsOf, Method } from './method.ts';
import { ownAccount } from './own-account.ts';
import { profile } from './profile.ts';
import { push } from './push.ts';
import { sealing } from './sealing.ts';
import { stickers } from './stickers.ts';
import { sync } from './sync.ts';

/**
 * The methods by topic. The slices of the server, the scenarios of the conformance kit and the pages of the reference
 * use the same names.
 */
export const topics = {
  login,
  messaging,
  contacts,
  chats,
  profile,
  sealing,
  'key-log': keyLog,
  'key-backup': keyBackup,
  push,
  stickers,
  sync,
  devices,
  'own-account': ownAccount,
} as const;

export const contract = {
  ...login,
  ...messaging,
  ...contacts,
  ...chats,
  ...profile,
  ...sealing,
  ...keyLog,
  ...keyBackup,
  ...push,
  ...stickers,
  ...sync,
  ...devices,
  ...ownAccount,
} as const;

export type TopicName = keyof typeof topics;
export type Contract = typeof contract;
export type MethodName = keyof Contract;
export type MethodArgs<N extends MethodName> = ArgsOf<Contract[N]['args']>;
export type MethodResult<N extends MethodName> = Static<Contract[N]['result']>;

export const methodNames = Object.keys(contract) as MethodName[];
/** Returns the entry of a method with the type `Method` instead of its literal type. */
export const methodOf = (name: MethodName): Method => contract[name];

export * from './account-export.ts';
export { type ArgumentForm, field } from './argument-forms.ts';
export * from './chats.ts';
export * from './contacts.ts';
export * from './devices.ts';
export * from './http-endpoint.ts';
export * from './http-endpoints.ts';
export * from './key-backup.ts';
export * from './key-log.ts';
export * from './login.ts';
export * from './message.ts';
export * from './messaging.ts';
export type * from './method.ts';
export * from './operations.ts';
export * from './own-account.ts';
export * from './profile.ts';
export * from './push.ts';
export * from './schema.ts';
export * from './sealing.ts';
export * from './settings.ts';
export * from './stickers.ts';
export * from './stream-events.ts';
export * from './sync.ts';
