// `sealpost keys`: the account's keys on this device, and their backup under a recovery passphrase.
import { RecoveryError, type RecoveryStatus, type RpcClient, systemPorts } from '@sealpost/sdk';
import type { Command } from 'commander';
import { confirmed } from '../../confirm.ts';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError } from '../../exit-codes.ts';
import { exitCodeOf, messageOf } from '../../failures.ts';
import { createOutput, localTime } from '../../output.ts';
import { knownPassphrase, newPassphrase, type PassphraseOptions } from '../../recovery-passphrase.ts';

interface BackupOptions extends ConnectionOptions, PassphraseOptions {
  readonly generate?: boolean;
  readonly replace?: boolean;
}

const STDIN = 'read the passphrase from standard input (or set SEALPOST_RECOVERY_PASSPHRASE)';

export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('keys of Letter Sealing: what this device has, backup and recovery');
  withConnectionOptions(keys.command('status'))
    .description('show the keys of this device and the backup, and check them against the key log')
    .action(status);
  withConnectionOptions(keys.command('backup'))
    .description('seal the keys under a passphrase, store them on the server, and open them again')
    .option('--generate', 'make a passphrase and print it')
    .option('--passphrase-stdin', STDIN)
    .option(
      '--replace',
      'replace a backup that this passphrase does not open, and lose the keys that only the backup has',
    )
    .action(backup);
  withConnectionOptions(keys.command('restore'))
    .description('add the keys of the backup to those of this device')
    .option('--passphrase-stdin', STDIN)
    .action(restore);
  withConnectionOptions(keys.command('renew'))
    .description('register a new key of the account: after a key was stolen, or when all keys are lost')
    .option('--yes', 'do not ask')
    .action(renew);
  withConnectionOptions(keys.command('accept-log'))
    .description('accept the key log of a server that was set up anew or restored')
    .action(acceptLog);
}

async function status(options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client }) => {
    const found = await client.recovery.status();
    // If this check fails, its error is thrown at the end of the command, so that the status is printed first.
    const alarm = await client.trust.checkOwnKeys().then(
      () => undefined,
      (error: unknown) => error,
    );
    const { head, unknownOwnKeys = [] } = await client.trust.rememberedLog();
    const unknown = unknownOwnKeys.map(({ keyId }) => keyId).filter((keyId) => !found.keyIds.includes(keyId));
    const log = head && { treeSize: head.treeSize, rootHash: head.rootHash };
    const text = [
      `Keys here: ${listed(found.keyIds)}`,
      ...missingLines(found),
      `Backup:    ${backupLine(found)}`,
      `Key log:   ${head ? `${head.treeSize} keys, root ${head.rootHash}` : 'not seen yet'}`,
      ...(unknown.length > 0
        ? [`           it has ${listed(unknown)} of this account, not made here. See: sealpost devices list`]
        : []),
    ];
    output.print(text.join('\n'), { ...found, log, unknownOwnKeyIds: unknown });
    if (alarm !== undefined) throw alarm;
  });
}

function missingLines({ missingKeyIds, backup, notInBackup }: RecoveryStatus): string[] {
  if (missingKeyIds.length === 0) return [];
  // A backup that this device made has no keys that the device lacks.
  const mayHelp = backup !== undefined && notInBackup === undefined;
  const ways = mayHelp ? 'sealpost keys restore, or sealpost login --qr' : 'sealpost login --qr';
  return [
    `Missing:   ${listed(missingKeyIds)}; messages sealed for them cannot be read here`,
    `           To get them: ${ways}, and let a device that has them confirm it.`,
    ...(mayHelp ? [] : [`           ${LOST} Then: sealpost keys renew`]),
  ];
}

function backupLine({ keyIds, backup, notInBackup }: RecoveryStatus): string {
  if (!backup) return keyIds.length > 0 ? 'none. Make one: sealpost keys backup' : 'none';
  const made = `version ${backup.version} of ${localTime(backup.updatedTime, systemPorts.clock.now())}`;
  if (!notInBackup) return `${made}, made by another device`;
  if (notInBackup.length === 0) return `${made}, with all keys of this device`;
  return `${made}, without ${listed(notInBackup)}. Make it anew: sealpost keys backup`;
}

async function backup(options: BackupOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client }) => {
    await requireKeys(client);
    const { passphrase, unseen } = await newPassphrase(options, output);
    const made = await client.recovery
      .backup(passphrase, { replace: options.replace ?? false })
      .catch((error: unknown) => Promise.reject(unseen ? withPassphrase(error, passphrase) : error));
    const text = [
      `Backed up ${listed(made.keyIds)}: version ${made.version} was read back and opened successfully.`,
      ...(made.addedKeyIds.length > 0
        ? [`This device added ${listed(made.addedKeyIds)} from the previous backup.`]
        : []),
      ...(unseen
        ? ['', `    ${passphrase}`, '', 'Write it down: it is the only way to open the backup, and is not shown again.']
        : []),
    ];
    output.print(text.join('\n'), { ...made, ...(unseen ? { passphrase } : {}) });
  });
}

/** Returns an error with the passphrase that was made for a backup, if that backup may be stored in spite of the error. */
function withPassphrase(error: unknown, passphrase: string): unknown {
  if (error instanceof RecoveryError && error.reason !== 'read-back') return error;
  return new CliError(
    `${messageOf(error)}\n\n    ${passphrase}\n\nKeep this passphrase: the backup may be stored under it. Then back up again.`,
    exitCodeOf(error),
  );
}

/**
 * Throws if this device has no keys. Called before the user is asked for a passphrase, which would be useless without
 * keys.
 */
async function requireKeys(client: RpcClient): Promise<void> {
  if ((await client.recovery.status()).keyIds.length > 0) return;
  throw new CliError('This device has no keys of the account: there is nothing to back up. See: sealpost keys status');
}

async function restore(options: ConnectionOptions & PassphraseOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client }) => {
    if (!(await client.recovery.status()).backup)
      throw new CliError(`The account has no backup of its keys. ${LOST} Then: sealpost keys renew`);
    const restored = await client.recovery.restore(await knownPassphrase(options));
    const { version, addedKeyIds, missingKeyIds } = restored;
    const text = [
      addedKeyIds.length > 0
        ? `Restored ${listed(addedKeyIds)} from version ${version} of the backup.`
        : `Version ${version} of the backup has no keys that this device lacks.`,
      ...(missingKeyIds.length > 0
        ? [
            `The backup was made before ${listed(missingKeyIds)}: messages sealed for them cannot be read here, unless a device that has these keys confirms a login of this one.`,
          ]
        : []),
    ];
    output.print(text.join('\n'), restored);
  });
}

interface RenewOptions extends ConnectionOptions {
  readonly yes?: boolean;
}

async function renew(options: RenewOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client, sealing }) => {
    const { missingKeyIds } = await client.recovery.status();
    const explain = (): void => {
      output.note(RENEWED);
      if (missingKeyIds.length === 0) return;
      output.note(
        `Messages that were sealed for ${listed(missingKeyIds)}, missing here, cannot be read on this device.`,
      );
    };
    // With --json, a failure is the only text on standard error, unless there is a question.
    if (!output.json) explain();
    if (
      !options.yes &&
      !(await confirmed('Register a new key?', 'confirm with --yes', output.json ? explain : undefined))
    ) {
      output.print('Nothing was changed.', { renewed: false });
      return;
    }
    const { keyId } = await sealing.renewOwnKey();
    output.print(`The account has key ${keyId} now. Back it up: sealpost keys backup`, { renewed: true, keyId });
  });
}

async function acceptLog(options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client, sealing }) => {
    await client.trust.acceptLog();
    // Registers keys again that the server lost.
    await sealing.ownKey();
    createOutput(options).print('The key log of this server is accepted.', { accepted: true });
  });
}

/** Tells the user what a new key means for the user's other devices and contacts. */
const RENEWED =
  'A new key is used for what is sealed from now on. Contacts are told that your key changed, those who verified you must compare again, and your other devices need the new key: log them in again and confirm them here.';

/** Tells the user what is lost if there is neither a backup nor another device. */
const LOST =
  'Without a backup and without another device the old keys are gone: this account gets new keys, its contacts are told that its keys changed, and nobody can ever read again what was sealed for the old ones.';

const listed = (keyIds: readonly number[]): string =>
  keyIds.length === 0 ? 'no keys' : `key${keyIds.length === 1 ? '' : 's'} ${keyIds.join(', ')}`;
