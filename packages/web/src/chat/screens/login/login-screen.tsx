// The login: by password, or by a code that a device shows which is logged in already.
import { Trans, useLingui } from '@lingui/react/macro';
import { Stamp } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Field } from '../../../design/field.tsx';
import { useMirror, useRemote } from '../../client/context.tsx';
import { loginProblem } from './login-problem.ts';
import styles from './login-screen.module.css';
import { QrLogin } from './qr-login.tsx';
import { WaitForDevice } from './wait-for-device.tsx';

export default function LoginScreen() {
  const { t } = useLingui();
  const ended = useMirror(({ status }) => status.ended);
  const step = useMirror((state) => state.loginStep);
  const [byQr, setByQr] = useState(false);
  const isWaiting = step?.kind === 'pin' && !byQr;
  return (
    <main className={styles.screen}>
      <section className={styles.card} aria-label={t`Log in`}>
        <span className={styles.mark} aria-hidden="true">
          <Stamp />
        </span>
        <h1>Sealpost</h1>
        {ended && (
          <p role="status" className={styles.ended}>
            <Trans>You were logged out on this device. Log in again to go on.</Trans>
          </p>
        )}
        {isWaiting && <WaitForDevice pinCode={step.pinCode} words={step.words} />}
        {byQr ? <QrLogin onBack={() => setByQr(false)} /> : <PasswordLogin hidden={isWaiting} />}
        {!byQr && !isWaiting && (
          <Button look="quiet" wide onClick={() => setByQr(true)}>
            <Trans>Log in with another device</Trans>
          </Button>
        )}
      </section>
    </main>
  );
}

function PasswordLogin({ hidden }: { hidden: boolean }) {
  const { t } = useLingui();
  const remote = useRemote();
  const accounts = useMirror(({ status }) => status.server?.accounts);
  const [identifier, setIdentifier] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function logIn(userid: string, secret: string): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await remote.engine.login(userid, secret);
    } catch (error) {
      setProblem(loginProblem(error));
    } finally {
      setBusy(false);
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void logIn(identifier, password);
  };

  return (
    <form className={styles.form} onSubmit={submit} hidden={hidden}>
      <Field
        label={t`User id, e-mail or phone`}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={identifier}
        onChange={(event) => setIdentifier(event.target.value)}
      />
      <Field
        label={t`Password`}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={problem}
      />
      <Button type="submit" look="primary" wide disabled={busy}>
        {busy ? t`Logging in…` : t`Log in`}
      </Button>
      {accounts && (
        <div className={styles.accounts}>
          <p>
            <Trans>Accounts to play with on this server:</Trans>
          </p>
          {accounts.map(({ userid, password: known, name }) => (
            <Button key={userid} disabled={busy} onClick={() => void logIn(userid, known)}>
              {name}
            </Button>
          ))}
        </div>
      )}
    </form>
  );
}
