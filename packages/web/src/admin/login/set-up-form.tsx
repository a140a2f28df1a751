// The form of a setup link, in which a new administrator chooses a name and a password.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { reasonOf, refusalOf } from '../client/act.ts';
import { adminClient, setLogin } from '../client/session.ts';
import styles from './login-page.module.css';

/** Why the server refused the setup, and the field at which that is told. `form` means that no single field is wrong. */
interface Fault {
  readonly at: 'name' | 'password' | 'form';
  readonly text: string;
}

export function SetUpForm({ setup }: { readonly setup: string }) {
  const { t } = useLingui();
  const form = useRef<HTMLFormElement>(null);
  const faultFrom = useFault();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<Fault>();
  const [busy, setBusy] = useState(false);
  // The refused field gets the focus, and a screen reader reads the fault aloud.
  useEffect(() => {
    if (fault) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [fault]);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFault(undefined);
    try {
      setLogin(await adminClient().setUp({ setup, name, password }));
    } catch (error) {
      setFault(faultFrom(error));
    }
    setBusy(false);
  };
  const errorAt = (field: Fault['at']): string | undefined => (fault?.at === field ? fault.text : undefined);
  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)}>
      <h1>
        <Trans>Welcome</Trans>
      </h1>
      <p>
        <Trans>Choose how you log in as an administrator. A second factor follows.</Trans>
      </p>
      <Field
        label={t`Name`}
        hint={t`Small letters, digits, dots, dashes and underscores.`}
        autoComplete="username"
        pattern="[a-z0-9][a-z0-9._\-]{0,31}"
        required
        value={name}
        error={errorAt('name')}
        onChange={({ target }) => setName(target.value.trim())}
      />
      <Field
        label={t`Password`}
        type="password"
        autoComplete="new-password"
        hint={t`At least 8 characters, and not a common one.`}
        minLength={8}
        required
        value={password}
        error={errorAt('password')}
        onChange={({ target }) => setPassword(target.value)}
      />
      {fault?.at === 'form' && <p role="alert">{fault.text}</p>}
      <Button type="submit" look="primary" wide disabled={busy}>
        <Trans>Continue</Trans>
      </Button>
    </form>
  );
}

/** Returns a function that says in plain words why the server refused the setup. */
function useFault(): (error: unknown) => Fault {
  const { t } = useLingui();
  return (error) => {
    const { status = 0, field, errors = [] } = refusalOf(error) ?? {};
    const names = new Set([field, ...errors.map((one) => one.field)]);
    if (names.has('name')) {
      const isTaken = status === 409;
      return {
        at: 'name',
        text: isTaken
          ? t`Another administrator has this name. Choose another one.`
          : t`This link is for another name. Ask whoever made it for the name.`,
      };
    }
    if (names.has('password')) {
      return {
        at: 'password',
        text: t`Choose another password: at least 8 characters, not your name, and none that many people use.`,
      };
    }
    switch (status) {
      case 403:
        return { at: 'form', text: t`This link was used, has expired, or is not complete. Ask for a new one.` };
      case 409:
        return { at: 'form', text: t`This server has its first administrator already. Ask them for a link.` };
      default:
        return { at: 'form', text: reasonOf(error) };
    }
  };
}
