// A sealed message that could not be opened. It says why, and what the user can do.
import { Trans, useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { LockKeyhole } from 'lucide-react';
import { Link } from 'wouter';
import { attempt } from '../../../client/attempt.ts';
import { useMirror, useRemote } from '../../../client/context.tsx';
import { openOverlay } from '../../../overlays/overlays.ts';
import { settingsPath } from '../../../routes.ts';
import { openAction } from '../../../safety/decisions.ts';
import { openFailure } from '../../../safety/reasons.ts';
import styles from './kinds.module.css';

export function UnopenedContent({ message }: { message: StoredMessage }) {
  const { i18n } = useLingui();
  const { sealing } = message;
  if (sealing.state !== 'unopened') return null;
  const { what, helps } = openFailure(sealing.reason);
  return (
    <div className={styles.unopened}>
      <p>
        <LockKeyhole aria-hidden="true" />
        <strong>
          <Trans>This message stays sealed</Trans>
        </strong>
      </p>
      <p>{i18n._(what)}</p>
      <p className={styles.quiet}>{i18n._(helps)}</p>
      <Help reason={sealing.reason} message={message} />
    </div>
  );
}

function Help({ reason, message: { to, from } }: { reason: string; message: StoredMessage }) {
  const remote = useRemote();
  const hasKeys = useMirror(({ trust }) => trust.ownKey === 'ready');
  const isOwn = useMirror(({ status }) => status.session?.mid === from);
  switch (openAction(reason, hasKeys, isOwn || !to.startsWith('u'))) {
    case 'keys':
      return (
        <button type="button" onClick={() => openOverlay({ kind: 'keys' })}>
          <Trans>Get your keys</Trans>
        </button>
      );
    case 'again':
      return (
        <>
          <button type="button" onClick={() => void attempt(() => remote.engine.openAgain())}>
            <Trans>Try again</Trans>
          </button>
          {reason === 'unknown-key' && (
            <Link href={settingsPath('security')}>
              <Trans>Your keys</Trans>
            </Link>
          )}
        </>
      );
    case 'compare':
      return (
        <button type="button" onClick={() => openOverlay({ kind: 'safety', mid: from })}>
          <Trans>Compare the safety number</Trans>
        </button>
      );
    default:
      return null;
  }
}
