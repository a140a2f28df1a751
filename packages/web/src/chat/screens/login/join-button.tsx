// The button that leads from the login to opening an account, if the server allows that.
import { Trans } from '@lingui/react/macro';
import type { RegistrationMode } from '@sealpost/contract';
import { useEffect, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { registration } from '../../client/registration.ts';

export function JoinButton({ onJoin }: { onJoin: () => void }) {
  const [mode, setMode] = useState<RegistrationMode>('closed');
  useEffect(() => {
    // If the server does not answer, the button is not shown. The login itself says that the server cannot be reached.
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
