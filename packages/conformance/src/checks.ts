// Every check of the kit: those that are derived from the contract, and the scenarios.
import { methodNames } from '@sealpost/contract/schemas';
import type { Check } from './check.ts';
import { checksOfAccessRules } from './derived/access-checks.ts';
import { checksOfHttpEndpoints } from './derived/http-checks.ts';
import { answersPlainCall, checksOfMethods } from './derived/method-checks.ts';
import { chats } from './scenarios/chats.ts';
import { contacts } from './scenarios/contacts.ts';
import { devices } from './scenarios/devices.ts';
import { envelope } from './scenarios/envelope.ts';
import { idempotency } from './scenarios/idempotency.ts';
import { keyBackup } from './scenarios/key-backup.ts';
import { keyLog } from './scenarios/key-log.ts';
import { login } from './scenarios/login.ts';
import { media } from './scenarios/media.ts';
import { messaging } from './scenarios/messaging.ts';
import { notices } from './scenarios/notices.ts';
import { ownAccount } from './scenarios/own-account.ts';
import { profile } from './scenarios/profile.ts';
import { push } from './scenarios/push.ts';
import { qrLogin } from './scenarios/qr-login.ts';
import { registration } from './scenarios/registration.ts';
import { rooms } from './scenarios/rooms.ts';
import { sealing } from './scenarios/sealing.ts';
import { signature } from './scenarios/signature.ts';
import { stickers } from './scenarios/stickers.ts';
import { sync } from './scenarios/sync.ts';
import { timeline } from './scenarios/timeline.ts';

const scenarioChecks: readonly Check[] = [
  ...login,
  ...qrLogin,
  ...devices,
  ...ownAccount,
  ...registration,
  ...envelope,
  ...signature,
  ...messaging,
  ...sync,
  ...idempotency,
  ...contacts,
  ...chats,
  ...rooms,
  ...profile,
  ...push,
  ...sealing,
  ...keyLog,
  ...keyBackup,
  ...notices,
  ...stickers,
  ...timeline,
  ...media,
];

function createChecks(): Check[] {
  const accessChecks = checksOfAccessRules();
  const called = new Set<string>([...scenarioChecks, ...accessChecks].map(({ endpoint }) => endpoint));
  const plainCalls = methodNames.filter((method) => !called.has(method)).map(answersPlainCall);
  return [...checksOfMethods(), ...checksOfHttpEndpoints(), ...plainCalls, ...accessChecks, ...scenarioChecks];
}

export const checks: readonly Check[] = createChecks();
