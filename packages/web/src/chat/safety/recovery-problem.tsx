// Why a backup of keys was not made or not restored.
import { Trans } from '@lingui/react/macro';
import { problemOf } from '../client/attempt.ts';
import { CallError } from '../client/remote.ts';

export const reasonOf = (error: unknown): string =>
  error instanceof CallError ? String(error.fields.reason ?? '') : '';

export function RecoveryProblem({ error }: { error: unknown }) {
  switch (reasonOf(error)) {
    case 'wrong-passphrase':
      return <Trans>This passphrase does not open the backup. Check each word.</Trans>;
    case 'weak-passphrase':
      return <Trans>This passphrase is too easy to guess. Add words that do not belong together.</Trans>;
    case 'no-backup':
      return <Trans>There is no backup of your keys.</Trans>;
    case 'no-keys':
      return <Trans>This browser has no keys to put into a backup.</Trans>;
    case 'damaged':
      return <Trans>The backup is damaged. Make a new one on a device that has the keys.</Trans>;
    case 'older-backup':
      return (
        <Trans>The server gave an older backup than the one you made. Nothing was restored. Ask its operator.</Trans>
      );
    case 'other-account':
      return <Trans>This backup belongs to another account. Nothing was restored.</Trans>;
    case 'other-passphrase':
      return <Trans>There is a backup under another passphrase. It may have keys that this browser lacks.</Trans>;
    case 'read-back':
      return <Trans>The server did not keep the backup as it was sent. Do not rely on it, and try again.</Trans>;
    case 'too-many-keys':
      return <Trans>There are too many keys for one backup.</Trans>;
    default:
      return <>{problemOf(error)}</>;
  }
}
