// The second factor of a login: a passkey, a code of an app, or a recovery code.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { adminClient, type LoginState, logOut, setLogin } from '../client/session.ts';
import styles from './login-page.module.css';
import { hasPasskeys, logInWithPasskey } from './passkeys.ts';
import { useStep } from './use-step.ts';

export function SecondFactor({ login }: { readonly login: LoginState }) {
  const { t } = useLingui();
  const { factors, administrator = '' } = login;
  const hasTotp = factors.includes('totp');
  const [isRecovery, setRecovery] = useState(!hasTotp);
  const [code, setCode] = useState('');
  const { fault, busy, run } = useStep();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const client = adminClient();
    const step = () => (isRecovery ? client.logInWithRecoveryCode({ code }) : client.logInWithTotp({ code }));
    void run(async () => setLogin(await step()), { 403: t`The code is wrong, or was used before.` });
  };
  const canUsePasskey = factors.includes('passkey') && hasPasskeys(login);
  return (
    <form className={styles.form} onSubmit={submit}>
      <h1>
        <Trans>Second factor</Trans>
      </h1>
      <p>
        <Trans>
          Prove that you are <bdi>{administrator}</bdi>.
        </Trans>
      </p>
      {canUsePasskey && (
        <Button look="primary" wide disabled={busy} onClick={() => void run(logInWithPasskey)}>
          <Trans>Use a passkey</Trans>
        </Button>
      )}
      <Field
        label={isRecovery ? t`Recovery code` : t`Code of your app`}
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        required
        value={code}
        error={fault}
        onChange={({ target }) => setCode(target.value.trim())}
      />
      <Button type="submit" look={canUsePasskey ? 'plain' : 'primary'} wide disabled={busy}>
        <Trans>Continue</Trans>
      </Button>
      {hasTotp && (
        <Button look="quiet" wide onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? <Trans>Use a code of the app</Trans> : <Trans>Use a recovery code</Trans>}
        </Button>
      )}
      <Button look="quiet" wide onClick={() => void run(logOut)}>
        <Trans>Log in as somebody else</Trans>
      </Button>
    </form>
  );
}
