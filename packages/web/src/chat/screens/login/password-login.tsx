// The login with a password. If the server asks for it, the login waits until a device that is logged in confirms it.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useEffect, useState } from 'react';
import { unlessTouched } from '../../../access/unless-touched.ts';
import { Button } from '../../../design/button.tsx';
import { Field } from '../../../design/field.tsx';
import { problemOf } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import { CallError } from '../../client/remote.ts';
import { useSecondsLeft } from '../../safety/use-seconds-left.ts';
import { WaitForDevice } from '../../safety/wait-for-device.tsx';
import { type LoginProblem, loginProblemOf } from './login-problem.ts';
import { LoginProblemText } from './login-problem-text.tsx';
import styles from './login-screen.module.css';
import { keepOpening } from './lost-opening.ts';

interface Failed {
  readonly problem: LoginProblem;
  readonly since: number;
  readonly detail: string;
}

interface PasswordLoginProps {
  /** The user id that the form begins with. */
  readonly userid: string;
  readonly onWaiting: (isWaiting: boolean) => void;
}

export function PasswordLogin({ userid, onWaiting }: PasswordLoginProps) {
  const { t } = useLingui();
  const { logIn, busy, failed } = useLogin();
  const step = useMirror((state) => state.loginStep);
  const accounts = useMirror(({ status }) => status.server?.accounts);
  const [identifier, setIdentifier] = useState(userid);
  const [password, setPassword] = useState('');
  const isWaiting = busy && step?.kind === 'pin';
  useEffect(() => onWaiting(isWaiting), [onWaiting, isWaiting]);
  const waitMs = failed && 'waitMs' in failed.problem ? failed.problem.waitMs : 0;
  const mustWait = useSecondsLeft((failed?.since ?? 0) + waitMs) > 0 && waitMs > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void logIn(identifier, password);
  };

  return (
    <>
      {isWaiting && <WaitForDevice pinCode={step.pinCode} words={step.words} />}
      {/* The form is hidden, not removed, so that a password manager can save the password after the login. */}
      <form className={styles.form} onSubmit={submit} hidden={isWaiting}>
        <Field
          label={t`User id, e-mail or phone`}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus={unlessTouched(true)}
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
        />
        {failed && (
          <p role="alert" className={styles.problem}>
            <LoginProblemText {...failed} />
          </p>
        )}
        <Button type="submit" look="primary" wide disabled={busy || mustWait}>
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
    </>
  );
}

function useLogin() {
  const remote = useRemote();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Failed>();
  async function logIn(userid: string, secret: string): Promise<void> {
    setBusy(true);
    setFailed(undefined);
    try {
      await remote.engine.login(userid, secret);
      keepOpening(undefined);
    } catch (error) {
      const problem: LoginProblem = error instanceof CallError ? loginProblemOf(error) : { kind: 'other' };
      const detail = problemOf(error);
      if (problem.kind !== 'cancelled') setFailed({ problem, since: Date.now(), detail });
    } finally {
      setBusy(false);
    }
  }
  return { logIn, busy, failed };
}
