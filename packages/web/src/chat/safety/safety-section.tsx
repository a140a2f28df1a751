// The button on a person's page that opens the safety number, and says whether the number was compared.
import { Trans } from '@lingui/react/macro';
import { ShieldCheck } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { openOverlay } from '../overlays/overlays.ts';
import { useVerified } from './use-verified.ts';

export function SafetySection({ mid }: { mid: string }) {
  const state = useVerified(mid);
  return (
    <Button icon={<ShieldCheck size={18} />} onClick={() => openOverlay({ kind: 'safety', mid })}>
      {state === 'verified' ? (
        <Trans>Safety number: compared</Trans>
      ) : state === 'changed' ? (
        <Trans>Safety number: changed</Trans>
      ) : (
        <Trans>Safety number</Trans>
      )}
    </Button>
  );
}
