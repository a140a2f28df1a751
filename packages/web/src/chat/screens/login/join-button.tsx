// The way from the login to a new account, if the server opens accounts.
import { Trans } from '@lingui/react/macro';
import type { RegistrationMode } from '@sealpost/contract';
import { useEffect, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { registration } from '../../client/registration.ts';

export function JoinButton({ onJoin }: { onJoin: () => void }) {
  const [mode, setMode] = useState<RegistrationMode>('closed');
  useEffect(() => {
    // Without an answer there is nothing to offer: the login itself says that the server cannot be reached.
    registration.offer().then(
      (offer) => setMode(offer.mode),
      () => undefined,
    );
  }, []);
  if (mode === 'closed') return null;
  return (
    <Button look="quiet" wide onClick={onJoin}>
      {mode === 'open' ? <Trans>Create an account</Trans> : <Trans>I have an invitation</Trans>}
    </Button>
  );
}
