// The reasons why a backup was not made or not restored, each with advice for the user.
const advices = {
  'no-keys': 'Restore a backup, or let a device that has the keys confirm a login of this one.',
  'weak-passphrase':
    'Whoever gets the backup can try passphrases without limit: use a generated one, or add words that do not belong together.',
  'no-backup': 'If a device still has the keys, log in anew and let that device confirm it.',
  'wrong-passphrase': 'Check the words. If they are right, the server changed the backup.',
  damaged: 'The server does not return what was stored. Make a new backup on a device that has the keys.',
  'older-backup':
    'The server returns an older backup than this device knows. Nothing was restored: ask its operator. If the server itself was restored, accept its key log first.',
  'other-account': 'Nothing was restored: the backup belongs to another account, or the server hides keys of this one.',
  'other-passphrase': 'Restore it first, or replace it and lose the keys that only it has.',
  'read-back':
    'Do not rely on it: the server stores something else than what was sent. Try again, or ask its operator.',
  'too-many-keys': 'A backup of this size cannot be stored.',
} as const;

export type RecoveryReason = keyof typeof advices;

/** The error for a backup that was not made or not restored. The message says why and what to do. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError';
  readonly reason: RecoveryReason;

  constructor(reason: RecoveryReason, found: string, options?: ErrorOptions) {
    super(`${found}. ${advices[reason]}`, options);
    this.reason = reason;
  }
}
