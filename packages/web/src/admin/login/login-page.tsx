// The login of the administration pages: setting up the first administrator, a password, and a second factor.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { reasonOf } from '../client/act.ts';
import { adminClient, type LoginState, refreshLogin, setLogin, useSession } from '../client/session.ts';
import { Enrol } from './enrol.tsx';
import styles from './login-page.module.css';
import { SecondFactor } from './second-factor.tsx';
import { SetUpForm } from './set-up-form.tsx';
import { setupToken } from './setup-token.ts';
import { useStep } from './use-step.ts';

export interface LoginPageProps {
  readonly login: LoginState | undefined;
}

export function LoginPage({ login }: LoginPageProps) {
  const { ended, failure } = useSession();
  return (
    <main className={styles.login}>
      <div className={styles.card}>
        <img src={new URL('../../../public/icon.svg', import.meta.url).href} alt="" width={48} height={48} />
        {ended && (
          <p role="status" className={styles.ended}>
            <Trans>Your session has ended. Log in again.</Trans>
          </p>
        )}
        {failure !== undefined && (
          <>
            <p role="alert">{reasonOf(failure)}</p>
            <Button onClick={() => void refreshLogin()}>
              <Trans>Try again</Trans>
            </Button>
          </>
        )}
        {login && <Step login={login} />}
      </div>
    </main>
  );
}

function Step({ login }: { readonly login: LoginState }): ReactNode {
  const setup = setupToken();
  switch (login.state) {
    case 'none':
      return setup === undefined ? <PasswordForm /> : <SetUpForm setup={setup} />;
    case 'second-factor':
      return <SecondFactor login={login} />;
    default:
      return <Enrol login={login} />;
  }
}

function PasswordForm() {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { fault, busy, run } = useStep();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const step = async () => setLogin(await adminClient().logIn({ name, password }));
    void run(step, { 401: t`The name or the password is wrong.` });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <h1>
        <Trans>Administration</Trans>
      </h1>
      <Field
        label={t`Name`}
        autoComplete="username"
        required
        value={name}
        onChange={({ target }) => setName(target.value.trim())}
      />
      <Field
        label={t`Password`}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        error={fault}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" look="primary" wide disabled={busy}>
        <Trans>Log in</Trans>
      </Button>
    </form>
  );
}
