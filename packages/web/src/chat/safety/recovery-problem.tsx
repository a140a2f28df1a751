// The text that explains why a backup of keys was not made or not restored.
import { Plural, Trans } from '@lingui/react/macro';
import { problemOf } from '../client/attempt.ts';
import { CallError } from '../client/remote.ts';

export const reasonOf = (error: unknown): string =>
  error instanceof CallError ? String(error.fields.reason ?? '') : '';

/** Returns the minutes until the backup may be read again; undefined if the number of reads is not the problem. */
function minutesToWait(error: unknown): number | undefined {
  if (!(error instanceof CallError) || error.fields.error !== 'EXCESSIVE_ACCESS') return undefined;
  return Math.ceil(Number(error.fields.retryAfterMs ?? 0) / 60_000);
}

export function RecoveryProblem({ error }: { error: unknown }) {
  const minutes = minutesToWait(error);
  if (minutes !== undefined) {
    return (
      <Plural
        value={minutes}
        one="The backup was read too often, so guessing must wait. Try again in # minute."
        other="The backup was read too often, so guessing must wait. Try again in # minutes."
      />
    );
  }
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
