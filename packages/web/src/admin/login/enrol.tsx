// The first second factor of an administrator, and the recovery codes that come with it.
import { Trans, useLingui } from '@lingui/react/macro';
import type { AdminResult } from '@sealpost/sdk/admin';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { adminClient, type LoginState, setLogin } from '../client/session.ts';
import { CodeList } from './code-list.tsx';
import styles from './login-page.module.css';
import { addPasskey, hasPasskeys } from './passkeys.ts';
import { TotpFields } from './totp-fields.tsx';
import { useStep } from './use-step.ts';

type Enrolled = AdminResult<'addTotp'>;

export function Enrol({ login }: { readonly login: LoginState }) {
  const { t } = useLingui();
  const [totp, setTotp] = useState<AdminResult<'beginTotp'>>();
  const [enrolled, setEnrolled] = useState<Enrolled>();
  const lost = useLostText();
  const { fault, busy, run } = useStep();
  if (enrolled) return <RecoveryCodes enrolled={enrolled} />;
  if (totp) return <TotpForm totp={totp} onDone={setEnrolled} />;
  return (
    <div className={styles.form}>
      <h1>
        <Trans>Add a second factor</Trans>
      </h1>
      <p>
        <Trans>A password can be guessed or seen. With a second factor it is not enough to log in.</Trans>
      </p>
      {hasPasskeys(login) && (
        <Button
          look="primary"
          wide
          disabled={busy}
          onClick={() => void run(async () => setEnrolled(await addPasskey(t`Passkey`)), {}, lost)}
        >
          <Trans>Use a passkey</Trans>
        </Button>
      )}
      <Button wide disabled={busy} onClick={() => void run(async () => setTotp(await adminClient().beginTotp({})))}>
        <Trans>Use an app for codes</Trans>
      </Button>
      {login.passkeyOrigin !== undefined && !hasPasskeys(login) && (
        <p className={styles.quiet}>
          <Trans>Passkeys work at {login.passkeyOrigin} only.</Trans>
        </p>
      )}
      {fault !== undefined && <p role="alert">{fault}</p>}
    </div>
  );
}

/** Returns the text for a second factor that the server may have added, with recovery codes that nobody has seen. */
function useLostText(): string {
  const { t } = useLingui();
  return t`The server did not answer. The second factor may have been added. Load this page again. If you can log in with it, make new recovery codes.`;
}

interface TotpFormProps {
  readonly totp: AdminResult<'beginTotp'>;
  readonly onDone: (enrolled: Enrolled) => void;
}

function TotpForm({ totp, onDone }: TotpFormProps) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const lost = useLostText();
  const { fault, busy, run } = useStep();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const step = async () => onDone(await adminClient().addTotp({ code, name: t`App for codes` }));
    void run(step, { 403: t`The code is wrong. Is the clock of your device right?` }, lost);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <h1>
        <Trans>Scan this code with the app</Trans>
      </h1>
      <TotpFields totp={totp} code={code} fault={fault} onCode={setCode} />
      <Button type="submit" look="primary" wide disabled={busy}>
        <Trans>Continue</Trans>
      </Button>
    </form>
  );
}

function RecoveryCodes({ enrolled: { recoveryCodes = [], login } }: { readonly enrolled: Enrolled }) {
  return (
    <div className={styles.form}>
      <h1>
        <Trans>Keep these recovery codes</Trans>
      </h1>
      <p>
        <Trans>Each logs you in once if you lose your second factor. They are not shown again.</Trans>
      </p>
      <CodeList codes={recoveryCodes} />
      <Button look="primary" wide onClick={() => setLogin(login)}>
        <Trans>I have kept them</Trans>
      </Button>
    </div>
  );
}
