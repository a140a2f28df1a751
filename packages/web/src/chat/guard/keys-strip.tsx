// A strip that says that this browser lacks the keys of the account.
import { Trans, useLingui } from '@lingui/react/macro';
import { KeyRound } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { openOverlay } from '../overlays/overlays.ts';
import styles from './strip.module.css';

export function KeysStrip() {
  const { t } = useLingui();
  return (
    <section className={styles.strip} aria-label={t`Your keys`}>
      <KeyRound aria-hidden="true" />
      <p className={styles.text}>
        <Trans>This browser does not have your keys. Sealed messages stay closed here until it gets them.</Trans>
      </p>
      <Button look="primary" onClick={() => openOverlay({ kind: 'keys' })}>
        <Trans>Get your keys</Trans>
      </Button>
    </section>
  );
}
