// Shows the login of another device that waits for a confirmation, as soon as it is there.
import { useLingui } from '@lingui/react/macro';
import type { PendingLogin } from '@sealpost/contract';
import { lazy, Suspense, useState } from 'react';
import { useMirror } from '../client/context.tsx';

const ApproveDialog = lazy(() => import('../overlays/approve-dialog.tsx'));

export function PendingLogins({ pending, onDone }: { pending: readonly PendingLogin[]; onDone: () => void }) {
  const { t } = useLingui();
  /** Logins that the user put aside without an answer. They are still in Settings, Devices. */
  const [aside, setAside] = useState<readonly string[]>([]);
  const isKnown = useMirror(({ trust }) => trust.ownKey !== 'unknown');
  const login = pending.find(({ loginId }) => !aside.includes(loginId));
  if (!login || !isKnown) return null;
  const close = (): void => {
    setAside([...aside, login.loginId]);
    onDone();
  };
  return (
    <Suspense>
      <ApproveDialog
        key={login.loginId}
        title={t`A device wants to log in to your account`}
        approval={{ login }}
        onClose={close}
      />
    </Suspense>
  );
}
