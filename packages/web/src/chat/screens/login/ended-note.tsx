// Says why this browser is no longer logged in, and what data it still keeps.
import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useMirror, useRemote } from '../../client/context.tsx';
import { forgetNotifications } from '../../push-state.ts';
import styles from './login-screen.module.css';

const Confirm = lazy(() => import('../../overlays/confirm.tsx'));

export function EndedNote() {
  const { t } = useLingui();
  const remote = useRemote();
  const ended = useMirror(({ status }) => status.ended);
  const [asks, setAsks] = useState(false);
  if (!ended) return null;
  if (ended === 'deleted') {
    return (
      <div role="status" className={styles.ended}>
        <p>
          <Trans>Your account was deleted. Its messages, drafts and keys were removed from this browser.</Trans>
        </p>
      </div>
    );
  }
  return (
    <div role="status" className={styles.ended}>
      <p>
        {ended === 'revoked' ? (
          <Trans>
            This browser was logged out: on another of your devices, by a new password, or by the operator of the
            server.
          </Trans>
        ) : (
          <Trans>Your login in this browser has expired.</Trans>
        )}
      </p>
      <p>
        <Trans>Drafts and messages that were not sent yet are still here. Log in again to go on.</Trans>
      </p>
      <button type="button" onClick={() => setAsks(true)}>
        <Trans>Delete what this browser keeps</Trans>
      </button>
      {asks && (
        <Suspense>
          <Confirm
            title={t`Delete what this browser keeps?`}
            confirmLabel={t`Delete`}
            onClose={() => setAsks(false)}
            onConfirm={async () => {
              await remote.engine.logout();
              forgetNotifications();
            }}
          >
            <Trans>
              Messages, drafts, what waits to be sent, and the keys leave this browser. Without a backup or another
              device that has the keys, old messages cannot be read again.
            </Trans>
          </Confirm>
        </Suspense>
      )}
    </div>
  );
}
