// The backup of the account's keys under a recovery passphrase, for a user who has lost all devices. The server stores
// the backup and cannot open it. The file docs/security.md says how much protection this gives.
import { clientLimits, type E2EEPublicKey, type KeyBackupInfo } from '@sealpost/contract';
import {
  fromBase64,
  type KeyChainEntry,
  OpenError,
  openKeyChainBackup,
  type PassphraseCost,
  readRecoveryPassphrase,
  sealKeyChainBackup,
  toBase64,
} from '@sealpost/crypto';
import { GatewayError } from '../gateway/errors.ts';
import type { ContactDeps } from '../trust/contacts.ts';
import { LEAST_GUESSES_LOG10, passphraseStrength } from './passphrase-strength.ts';
import { RecoveryError } from './recovery-error.ts';

export interface RecoveryStatus {
  /** The ids of the keys on this device. */
  readonly keyIds: readonly number[];
  /** The ids of keys of the account that this device lacks. The device cannot open what was sealed for these keys. */
  readonly missingKeyIds: readonly number[];
  /** The backup on the server; undefined if the account has none. */
  readonly backup: KeyBackupInfo | undefined;
  /** The ids of keys that this device has and the backup lacks; undefined if another device made the backup. */
  readonly notInBackup: readonly number[] | undefined;
}

export interface RestoredBackup {
  readonly version: number;
  /** The ids of keys that this device did not have before. */
  readonly addedKeyIds: readonly number[];
  /**
   * The ids of keys of the account that are neither in the backup nor on this device. These keys are newer than the
   * backup.
   */
  readonly missingKeyIds: readonly number[];
}

export interface StoredBackup {
  readonly version: number;
  readonly keyIds: readonly number[];
  /** The ids of keys that this device took over from the earlier backup. */
  readonly addedKeyIds: readonly number[];
}

export interface BackupOptions {
  /**
   * True replaces a backup even if the passphrase does not open it. Keys that are only in the replaced backup are lost.
   */
  readonly replace?: boolean;
  /** The cost of deriving a key from the passphrase. Only tests give it. */
  readonly cost?: PassphraseCost;
}

export interface Recovery {
  status(): Promise<RecoveryStatus>;
  /**
   * Seals all keys of this device under the passphrase and stores the backup on the server. Succeeds only after it has
   * downloaded and opened the backup again. The new backup also has the keys of an earlier backup. Takes a few seconds.
   * @throws RecoveryError if no backup was made
   */
  backup(passphrase: string, options?: BackupOptions): Promise<StoredBackup>;
  /**
   * Adds the keys of the backup to the keys of this device.
   * @throws RecoveryError if the backup was not restored; KeyTrustError if the key log does not list the backup's keys
   * as keys of the account
   */
  restore(passphrase: string): Promise<RestoredBackup>;
}

const TRIES = 3;

/** The account whose keys are backed up. */
export type RecoveryAccount = Pick<ContactDeps, 'gateway' | 'keyStore' | 'memory' | 'mid' | 'witness'>;

export function createRecovery(account: () => RecoveryAccount): Recovery {
  return {
    status: async () => status(account()),
    backup: async (passphrase, options = {}) => backup(account(), await strong(account(), passphrase), options),
    restore: async (passphrase) => restore(account(), readRecoveryPassphrase(passphrase)),
  };
}

async function status({ gateway, keyStore, memory, mid }: RecoveryAccount): Promise<RecoveryStatus> {
  const keyIds = idsOf(await keyStore.ownKeys(mid));
  const listed = idsOf(await gateway.call('TalkService.getE2EEPublicKeys'));
  const info = await gateway.call('KeyBackupService.getBackupInfo');
  const known = await memory.backup();
  return {
    keyIds,
    missingKeyIds: without(listed, keyIds),
    backup: info.size === 0 ? undefined : info,
    notInBackup: info.size > 0 && known?.version === info.version ? without(keyIds, known.keyIds) : undefined,
  };
}

async function backup(account: RecoveryAccount, passphrase: string, options: BackupOptions): Promise<StoredBackup> {
  const { gateway, keyStore, memory, mid } = account;
  for (let attempt = 1; ; attempt++) {
    const own = await keyStore.ownKeys(mid);
    if (own.length === 0) throw new RecoveryError('no-keys', 'this device has no keys of the account');
    const info = await gateway.call('KeyBackupService.getBackupInfo');
    const earlier =
      options.replace || (await isCovered(account, info, own)) ? [] : await openEarlier(account, passphrase);
    const added = earlier.filter(({ keyId }) => !idsOf(own).includes(keyId));
    const keys = [...own, ...added];
    const sealed = await sealKeyChainBackup(keys, passphrase, options.cost && { cost: options.cost });
    if (sealed.length > clientLimits.keyBackupBytes.value) {
      throw new RecoveryError('too-many-keys', `${keys.length} keys make a backup of ${sealed.length} bytes`);
    }
    try {
      const request = { expectedVersion: info.version, blob: toBase64(sealed) };
      const { version } = await gateway.call('KeyBackupService.putBackup', request);
      await keyStore.addOwnKeys(mid, added);
      // If the connection is lost before the backup comes back, the backup is stored all the same.
      await memory.setBackup({ version, keyIds: idsOf(keys) });
      await readBack(account, passphrase, version, keys).catch(async (error: unknown) => {
        if (error instanceof RecoveryError) await memory.setBackup(undefined);
        throw error;
      });
      return { version, keyIds: idsOf(keys), addedKeyIds: idsOf(added) };
    } catch (error) {
      // INVALID_STATE means that another device has stored a backup. The next attempt starts from the beginning,
      // because it must also keep the keys of that backup.
      const isRaced = error instanceof GatewayError && error.error === 'INVALID_STATE';
      if (!isRaced || attempt === TRIES) throw error;
    }
  }
}

/** Returns whether this device already has every key of the stored backup. */
async function isCovered(
  { memory }: RecoveryAccount,
  info: KeyBackupInfo,
  own: readonly KeyChainEntry[],
): Promise<boolean> {
  if (info.size === 0) return true;
  const known = await memory.backup();
  return known?.version === info.version && without(known.keyIds, idsOf(own)).length === 0;
}

async function openEarlier(account: RecoveryAccount, passphrase: string): Promise<KeyChainEntry[]> {
  const { blob, version, updatedTime } = await account.gateway.call('KeyBackupService.getBackup');
  try {
    const keys = await opened(blob, passphrase);
    await requireOwn(account, keys);
    return keys;
  } catch (cause) {
    if (!(cause instanceof RecoveryError)) throw cause;
    const from = new Date(Number(updatedTime)).toISOString();
    const found = `there is a backup already, version ${version} of ${from}, which may have keys that this device lacks, and it does not open (${cause.reason})`;
    throw new RecoveryError('other-passphrase', found, { cause });
  }
}

/** Downloads the backup, and checks that it opens and has exactly the keys that were sent. */
async function readBack(account: RecoveryAccount, passphrase: string, version: number, keys: readonly KeyChainEntry[]) {
  const stored = await account.gateway.call('KeyBackupService.getBackup');
  const read = await opened(stored.blob, passphrase).catch((cause: unknown) => {
    throw new RecoveryError('read-back', `the backup was stored and does not open: ${(cause as Error).message}`, {
      cause,
    });
  });
  const isSame = stored.version === version && textOf(read) === textOf(keys);
  if (!isSame) throw new RecoveryError('read-back', `version ${version} was stored, and another backup came back`);
}

async function restore(account: RecoveryAccount, passphrase: string): Promise<RestoredBackup> {
  const { gateway, keyStore, memory, mid } = account;
  const { version, blob } = await stored(account);
  const known = await memory.backup();
  if (known && version < known.version) {
    throw new RecoveryError(
      'older-backup',
      `the server returns version ${version}, this device knows version ${known.version}`,
    );
  }
  const keys = await opened(blob, passphrase);
  const gone = known?.version === version ? without(known.keyIds, idsOf(keys)) : [];
  if (gone.length > 0)
    throw new RecoveryError('older-backup', `version ${version} had the keys ${gone.join(', ')} too`);
  await requireOwn(account, keys);
  const before = idsOf(await keyStore.ownKeys(mid));
  await keyStore.addOwnKeys(mid, keys);
  await memory.setBackup({ version, keyIds: idsOf(keys) });
  const listed = idsOf(await gateway.call('TalkService.getE2EEPublicKeys'));
  return {
    version,
    addedKeyIds: without(idsOf(keys), before),
    missingKeyIds: without(listed, [...before, ...idsOf(keys)]),
  };
}

async function stored({ gateway }: RecoveryAccount): Promise<{ version: number; blob: string }> {
  try {
    return await gateway.call('KeyBackupService.getBackup');
  } catch (error) {
    if (!(error instanceof GatewayError && error.error === 'NOT_FOUND')) throw error;
    throw new RecoveryError('no-backup', 'the account has no backup of its keys', { cause: error });
  }
}

async function opened(blob: string, passphrase: string): Promise<KeyChainEntry[]> {
  try {
    return await openKeyChainBackup(fromBase64(blob), passphrase);
  } catch (cause) {
    if (cause instanceof OpenError && cause.reason === 'tampered') {
      throw new RecoveryError('wrong-passphrase', 'the passphrase does not open the backup', { cause });
    }
    throw new RecoveryError('damaged', `what the server stores is not a backup: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/**
 * Checks that the keys belong to this account. One passphrase may have sealed the keys of two accounts, and the server
 * could exchange the two backups.
 */
async function requireOwn({ gateway, witness, mid }: RecoveryAccount, keys: readonly KeyChainEntry[]): Promise<void> {
  const listed = await gateway.call('TalkService.getE2EEPublicKeys');
  const records = keys.map((key) => listed.find((record) => isRecordOf(record, key)));
  const foreign = keys.filter((_, i) => records[i] === undefined);
  if (foreign.length > 0) {
    throw new RecoveryError(
      'other-account',
      `the server lists no such keys of this account as ${idsOf(foreign).join(', ')}`,
    );
  }
  const head = await witness.head();
  for (const key of records) if (head && key) await witness.requireLogged(head, { mid, key });
}

const isRecordOf = (record: E2EEPublicKey, { keyId, publicKey }: KeyChainEntry): boolean =>
  record.keyId === keyId && record.keyData === toBase64(publicKey);

async function strong({ gateway }: RecoveryAccount, passphrase: string): Promise<string> {
  const { displayName, userid = '' } = await gateway.call('TalkService.getProfile', 0);
  const { enough, guessesLog10, weaknesses } = await passphraseStrength(passphrase, [displayName, userid]);
  if (enough) return readRecoveryPassphrase(passphrase);
  const tries = `10^${Math.floor(guessesLog10)} tries find the passphrase, and it must take 10^${LEAST_GUESSES_LOG10}`;
  throw new RecoveryError('weak-passphrase', `${tries}: ${weaknesses.join('; ')}`);
}

const idsOf = (keys: readonly { readonly keyId: number }[]): number[] =>
  keys.map(({ keyId }) => keyId).sort((a, b) => a - b);

const without = (ids: readonly number[], others: readonly number[]): number[] =>
  ids.filter((id) => !others.includes(id));

const textOf = (keys: readonly KeyChainEntry[]): string =>
  JSON.stringify(keys.toSorted((a, b) => a.keyId - b.keyId).map((key) => [key.keyId, toBase64(key.privateKey)]));
