// A form that asks for an invite: its link, or its code if the code was printed.
import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../../design/button.tsx';
import { Field } from '../../../../design/field.tsx';
import { readInvite } from '../../../client/registration.ts';
import styles from '../login-screen.module.css';

export function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const [otherServer, setOtherServer] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { code, url = location.origin } = readInvite(typed);
    if (url !== location.origin) setOtherServer(url);
    else if (code !== '') onCode(code);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        label={t`Invitation link or code`}
        hint={t`It was sent to you, or stands on a printed card.`}
        error={otherServer === undefined ? undefined : t`This invitation is for another server: ${otherServer}`}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        autoFocus
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setOtherServer(undefined);
        }}
      />
      <Button type="submit" look="primary" wide disabled={typed.trim() === ''}>
        <Trans>Continue</Trans>
      </Button>
    </form>
  );
}
