// Shows a dialog as soon as another device wants to log in and waits for a confirmation.
import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { useMirror } from '../client/context.tsx';
import { putAside, useAskedLogin } from './pending-store.ts';

const ApproveDialog = lazy(() => import('../overlays/approve-dialog.tsx'));

export function PendingLogins({ onDone }: { onDone: () => void }) {
  const { t } = useLingui();
  const isKnown = useMirror(({ trust }) => trust.ownKey !== 'unknown');
  const login = useAskedLogin();
  if (!login || !isKnown) return null;
  const close = (): void => {
    putAside(login.loginId);
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
