// The sealed backup of an account's private keys. Only the account's recovery key opens the backup, so the server
// cannot read it. The specification has no such backup.
import Type, { type Static } from 'typebox';
import { arg, rpc } from './method.ts';
import type { DeviceNewsKind } from './operation-types.ts';
import { Base64, I64Text } from './schema.ts';

const Version = Type.Integer({
  minimum: 0,
  maximum: 2147483647,
  description: 'rises with every change; 0 before the first',
});

/**
 * The state of the backup. `size` is the number of stored bytes, 0 if there is no backup. `updatedTime` is the time of
 * the last change.
 */
export const KeyBackupInfo = Type.Object(
  { version: Version, size: Type.Integer(), updatedTime: I64Text },
  { title: 'KeyBackupInfo' },
);
export type KeyBackupInfo = Static<typeof KeyBackupInfo>;

export const KeyBackup = Type.Object({ version: Version, blob: Base64, updatedTime: I64Text }, { title: 'KeyBackup' });
export type KeyBackup = Static<typeof KeyBackup>;

const expectedVersion = { expectedVersion: Version };
const news = (kind: DeviceNewsKind) =>
  [
    {
      type: 'SEND_ENCRYPTED_E2EE_KEY_REQUESTED',
      to: 'self',
      when: `news is "${kind}", id and about are those of the session that did it`,
    },
  ] as const;

export const keyBackup = {
  'KeyBackupService.getBackupInfo': rpc({
    summary: 'Returns whether there is a backup, its version, and when it was stored.',
    auth: 'user',
    limit: 'read',
    args: [],
    result: KeyBackupInfo,
    errors: [],
    origin: 'extension',
  }),
  'KeyBackupService.getBackup': rpc({
    summary: 'Returns the sealed backup.',
    auth: 'user',
    limit: 'backup',
    args: [],
    result: KeyBackup,
    errors: ['NOT_FOUND'],
    emits: news('backup-read'),
    origin: 'extension',
  }),
  'KeyBackupService.putBackup': rpc({
    summary: 'Stores the sealed backup and replaces the version that the caller names.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object({ ...expectedVersion, blob: Base64 }))],
    result: KeyBackupInfo,
    errors: ['INVALID_STATE', 'E2EE_INVALID_ARGUMENT'],
    emits: news('backup-stored'),
    origin: 'extension',
  }),
  'KeyBackupService.deleteBackup': rpc({
    summary: 'Deletes the sealed backup if it has the version that the caller names.',
    auth: 'user',
    limit: 'write',
    args: [arg('request', Type.Object(expectedVersion))],
    result: KeyBackupInfo,
    errors: ['INVALID_STATE'],
    emits: news('backup-deleted'),
    origin: 'extension',
  }),
} as const;
