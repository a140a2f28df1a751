// A dialog that changes or deletes the user's own account. Each change asks for the password.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog, useIsOpen } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Switch } from '../../design/switch.tsx';
import { toast } from '../../design/toast.ts';
import { problemOf } from '../client/attempt.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import { CallError, type Remote } from '../client/remote.ts';
import styles from './account-dialog.module.css';
import type { AccountChange } from './overlays.ts';

interface Typed {
  readonly password: string;
  readonly value: string;
  readonly again: string;
  readonly endOthers: boolean;
}

/** Why the server refused a change, and the field at which that is told. `form` means that no single field is wrong. */
interface Problem {
  readonly at: 'value' | 'password' | 'form';
  readonly text: string;
}

const NOTHING: Typed = { password: '', value: '', again: '', endOthers: true };

export default function AccountDialog({ change, onClose }: { change: AccountChange; onClose: () => void }) {
  const { t } = useLingui();
  const id = useId();
  const remote = useRemote();
  const profile = useMirror(({ status }) => status.profile);
  const problemFrom = useProblem(change);
  const [typed, setTyped] = useState<Typed>({
    ...NOTHING,
    value: (change === 'userid' || change === 'email' || change === 'phone') && profile ? (profile[change] ?? '') : '',
  });
  const [busy, setBusy] = useState(false);
  const isOpen = useIsOpen();
  const [problem, setProblem] = useState<Problem>();
  const form = useFocusOnWrong(problem);
  const onTyped = (next: Partial<Typed>): void => {
    setTyped({ ...typed, ...next });
    if ((problem?.at === 'value' && 'value' in next) || (problem?.at === 'password' && 'password' in next)) {
      setProblem(undefined);
    }
  };
  const userid = profile?.userid ?? '';
  const isReady = typed.password !== '' && isComplete(change, typed, userid);
  const titles: Record<AccountChange, string> = {
    password: t`Change the password`,
    userid: t`Change the user id`,
    email: t`Change the e-mail address`,
    phone: t`Change the phone number`,
    delete: t`Delete the account`,
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await run(remote, change, typed);
      if (isOpen()) onClose();
      if (change !== 'delete') toast({ text: t`Saved` });
    } catch (error) {
      setProblem(problemFrom(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={titles[change]}
      closeLabel={t`Close`}
      size="s"
      actions={
        <>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" form={id} look={change === 'delete' ? 'danger' : 'primary'} disabled={busy || !isReady}>
            {change === 'delete' ? t`Delete for good` : t`Save`}
          </Button>
        </>
      }
    >
      <form ref={form} id={id} className={styles.form} onSubmit={(event) => void submit(event)}>
        <Fields {...{ change, typed, userid, onTyped }} problem={problem?.at === 'value' ? problem.text : undefined} />
        <Field
          label={change === 'password' ? t`Old password` : t`Your password`}
          type="password"
          autoComplete="current-password"
          value={typed.password}
          error={problem?.at === 'password' ? problem.text : undefined}
          onChange={(event) => onTyped({ password: event.target.value })}
        />
        {problem?.at === 'form' && (
          <p role="alert" className={styles.problem}>
            {problem.text}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** Gives the refused field of a form the focus, so that a screen reader reads the problem aloud. */
function useFocusOnWrong(problem: Problem | undefined) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [problem]);
  return form;
}

interface FieldsProps {
  readonly change: AccountChange;
  readonly typed: Typed;
  readonly userid: string;
  /** Why the server refused the new value. */
  readonly problem: string | undefined;
  readonly onTyped: (next: Partial<Typed>) => void;
}

function Fields({ change, typed, userid, problem, onTyped }: FieldsProps) {
  const { t } = useLingui();
  const value = (label: string, hint: string, more: object = {}) => (
    <Field
      label={label}
      hint={hint}
      autoCapitalize="none"
      spellCheck={false}
      value={typed.value}
      error={problem}
      onChange={(event) => onTyped({ value: event.target.value })}
      {...more}
    />
  );
  switch (change) {
    case 'password':
      return <PasswordFields {...{ typed, problem, onTyped }} />;
    case 'userid':
      return value(t`User id`, t`Others find you by it. Your old user id is free for anybody then.`);
    case 'email':
      return value(t`E-mail`, t`Leave it empty to remove it.`, { type: 'email', autoComplete: 'email' });
    case 'phone':
      return value(t`Phone`, t`In international form, like +81312345678. Leave it empty to remove it.`, {
        type: 'tel',
        autoComplete: 'tel',
      });
    case 'delete':
      return (
        <>
          <div className={styles.warning}>
            <p>
              <Trans>
                Your profile, contacts, settings, keys and their backup are deleted. You leave all groups, and all your
                devices are logged out.
              </Trans>
            </p>
            <p>
              <Trans>
                Messages that you sent stay with the people who got them. Your files go. Nobody can undo this.
              </Trans>
            </p>
          </div>
          {value(t`Type your user id to confirm`, userid, { autoComplete: 'off' })}
        </>
      );
  }
}

function PasswordFields({ typed, problem, onTyped }: Pick<FieldsProps, 'typed' | 'problem' | 'onTyped'>) {
  const { t } = useLingui();
  const differs = typed.again !== '' && typed.again !== typed.value;
  return (
    <>
      <Field
        label={t`New password`}
        type="password"
        autoComplete="new-password"
        hint={t`At least 8 characters. It does not open the backup of your keys, which has its own passphrase.`}
        value={typed.value}
        error={problem}
        onChange={(event) => onTyped({ value: event.target.value })}
      />
      <Field
        label={t`New password again`}
        type="password"
        autoComplete="new-password"
        error={differs ? t`This is not the same password.` : undefined}
        value={typed.again}
        onChange={(event) => onTyped({ again: event.target.value })}
      />
      <Switch
        label={t`Log out all other devices`}
        hint={t`Do this if somebody else may know the old password.`}
        checked={typed.endOthers}
        onChange={(endOthers) => {
          onTyped({ endOthers });
          return undefined;
        }}
      />
    </>
  );
}

function isComplete(change: AccountChange, { value, again }: Typed, userid: string): boolean {
  if (change === 'password') return value !== '' && value === again;
  if (change === 'delete') return value.trim().toLowerCase() === userid;
  return change !== 'userid' || value.trim() !== '';
}

async function run(remote: Remote, change: AccountChange, { password, value, endOthers }: Typed): Promise<void> {
  if (change === 'delete') await remote.engine.deleteAccount(password);
  else if (change === 'password') {
    await remote.ownAccount.changePassword({ password, newPassword: value, endOtherSessions: endOthers });
  } else await remote.ownAccount.changeIdentifiers({ password, [change]: value });
}

/** Returns a function that says in plain words why the server refused a change, and which field is wrong. */
function useProblem(change: AccountChange): (error: unknown) => Problem {
  const { t } = useLingui();
  const rules: Record<AccountChange, string> = {
    password: t`Choose another password: at least 8 characters, not your user id, and none that many people use.`,
    userid: t`A user id has letters from a to z, digits, dots, dashes and underlines, and is not your password.`,
    email: t`This is not an e-mail address.`,
    phone: t`Write the phone number in international form, like +81312345678.`,
    delete: '',
  };
  const taken =
    change === 'userid'
      ? t`Somebody else has this user id. Choose another one.`
      : t`Another account has this already. Choose another one.`;
  return (error) => {
    switch (error instanceof CallError ? error.fields.error : undefined) {
      case 'INVALID_IDENTITY_CREDENTIAL':
        return { at: 'password', text: t`The password is wrong.` };
      case 'INVALID_STATE':
        return { at: 'value', text: taken };
      case 'ILLEGAL_ARGUMENT':
        return { at: 'value', text: rules[change] };
      case 'EXCESSIVE_ACCESS':
        return { at: 'form', text: t`Too many attempts. Try again later.` };
      case 'FEATURE_RESTRICTED':
        return { at: 'form', text: t`This is an official account. Ask the operator of the server.` };
      default:
        return { at: 'form', text: problemOf(error) };
    }
  };
}
