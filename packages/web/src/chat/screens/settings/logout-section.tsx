// The button for the logout. It asks for confirmation, and warns if the keys would be lost.
import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { useMirror, useRemote } from '../../client/context.tsx';
import { routes } from '../../routes.ts';
import { losesKeys } from '../../safety/decisions.ts';
import { unsendBeforeLogout } from '../../unsend/use-unsend.ts';
import styles from './security-page.module.css';

const Confirm = lazy(() => import('../../overlays/confirm.tsx'));

export function LogoutSection() {
  const { t } = useLingui();
  const remote = useRemote();
  const [, go] = useLocation();
  const hasKeys = useMirror(({ trust }) => trust.ownKey === 'ready');
  const waits = useMirror(({ outbox }) => outbox.size > 0);
  const [warning, setWarning] = useState<'last-keys' | 'plain'>();
  const ask = async (): Promise<void> => {
    try {
      const [{ backup, notInBackup }, sessions] = await Promise.all([
        remote.recovery.status(),
        remote.devices.sessions(),
      ]);
      const isLost = losesKeys({
        hasKeys,
        backedUp: backup !== undefined && (notInBackup ?? []).length === 0,
        sessions,
      });
      setWarning(isLost ? 'last-keys' : 'plain');
    } catch {
      // Without a connection, it is unknown whether there is a backup, or another device with the keys.
      setWarning(hasKeys ? 'last-keys' : 'plain');
    }
  };
  return (
    <section aria-label={t`Log out`}>
      <h3>
        <Trans>Log out</Trans>
      </h3>
      <p>
        <Trans>Your messages and your keys leave this browser. Your account stays on the server.</Trans>
      </p>
      <Button onClick={() => void ask()}>
        <Trans>Log out</Trans>
      </Button>
      {warning && (
        <Suspense>
          <Confirm
            title={warning === 'last-keys' ? t`Log out and lose your keys?` : t`Log out?`}
            confirmLabel={warning === 'last-keys' ? t`Log out and lose the keys` : t`Log out`}
            onClose={() => setWarning(undefined)}
            onConfirm={async () => {
              await unsendBeforeLogout(remote);
              await remote.engine.logout();
              go(routes.chats);
            }}
          >
            {warning === 'last-keys' ? (
              <p className={styles.warning}>
                <Trans>
                  No backup is known, and no other device that surely has your keys. After the logout, nobody can open
                  your old messages any more. Make a backup first.
                </Trans>
              </p>
            ) : (
              <p>
                <Trans>Messages, drafts and keys are deleted from this browser.</Trans>
              </p>
            )}
            {waits && (
              <p>
                <Trans>Messages that wait to be sent are lost.</Trans>
              </p>
            )}
          </Confirm>
        </Suspense>
      )}
    </section>
  );
}
