// The name that this account gives a contact. Only this account sees it.
import { Trans, useLingui } from '@lingui/react/macro';
import { type Contact, clientLimits } from '@sealpost/contract';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { toast } from '../../../design/toast.ts';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { NameField } from '../../people/name-field.tsx';
import { nameProblem } from '../../people/name-problem.ts';
import styles from './contact-card.module.css';

export function GivenName({ contact }: { contact: Contact }) {
  const { t } = useLingui();
  const remote = useRemote();
  const given = contact.displayNameOverridden ?? '';
  const [name, setName] = useState(given);
  const problem = nameProblem(name, clientLimits.displayName.value, true);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await attempt(() => remote.contacts.rename(contact.mid, name.trim()))) toast({ text: t`Saved` });
  };
  return (
    <div className={styles.card}>
      <form onSubmit={(event) => void save(event)}>
        <NameField
          label={t`Name you give them`}
          value={name}
          most={clientLimits.displayName.value}
          mayBeEmpty
          placeholder={contact.displayName}
          onName={setName}
        />
        <Button type="submit" disabled={problem !== undefined || name.trim() === given}>
          <Trans>Save</Trans>
        </Button>
      </form>
    </div>
  );
}
