// The screen for the login: by password, or by a QR code. A device that is already logged in scans that code.
import { Trans, useLingui } from '@lingui/react/macro';
import { Stamp } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { EndedNote } from './ended-note.tsx';
import styles from './login-screen.module.css';
import { PasswordLogin } from './password-login.tsx';
import { QrLogin } from './qr-login.tsx';

export default function LoginScreen() {
  const { t } = useLingui();
  const [byQr, setByQr] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  return (
    <main className={styles.screen}>
      <section className={styles.card} aria-label={t`Log in`}>
        <span className={styles.mark} aria-hidden="true">
          <Stamp />
        </span>
        <h1>Sealpost</h1>
        {!isWaiting && <EndedNote />}
        {byQr ? <QrLogin onBack={() => setByQr(false)} /> : <PasswordLogin onWaiting={setWaiting} />}
        {!byQr && !isWaiting && (
          <Button look="quiet" wide onClick={() => setByQr(true)}>
            <Trans>Log in with another device</Trans>
          </Button>
        )}
      </section>
    </main>
  );
}
