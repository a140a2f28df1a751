// The contacts, and how to find somebody new.
import { Trans, useLingui } from '@lingui/react/macro';
import { UserRoundSearch } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { Field } from '../../../design/field.tsx';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { attempt } from '../../client/attempt.ts';
import { useMirrorShallow, useRemote } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { contactPath } from '../../routes.ts';
import { isFriend } from './contact-kinds.ts';
import styles from './contacts-pane.module.css';

export default function ContactsPane() {
  const { t, i18n } = useLingui();
  const people = useMirrorShallow((state) =>
    [...state.contacts.values()]
      .filter(isFriend)
      .map(({ mid }) => `${nameOf(state, mid)}\n${mid}`)
      .sort(new Intl.Collator(i18n.locale).compare),
  );
  return (
    <section className={styles.pane} aria-label={t`Contacts`}>
      <header className={styles.header}>
        <h2>
          <Trans>Contacts</Trans>
        </h2>
      </header>
      <FindPerson />
      {people.length === 0 ? (
        <Empty icon={<UserRoundSearch />} title={t`No contacts yet`}>
          <Trans>Enter the user id of somebody you know.</Trans>
        </Empty>
      ) : (
        <ul className={styles.list}>
          {people.map((entry) => {
            const [name, mid = ''] = entry.split('\n');
            return (
              <li key={mid}>
                <Link href={contactPath(mid)} className={styles.person ?? ''}>
                  <ChatAvatar mid={mid} />
                  <bdi>{name}</bdi>
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function FindPerson() {
  const { t } = useLingui();
  const remote = useRemote();
  const [, go] = useLocation();
  const [userid, setUserid] = useState('');
  const [problem, setProblem] = useState<string>();
  const find = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem(undefined);
    await attempt(async () => {
      const found = await remote.contacts.findByUserid(userid.trim());
      if (!found) return setProblem(t`Nobody here has that user id.`);
      await remote.contacts.add(found.mid);
      setUserid('');
      go(contactPath(found.mid));
    });
  };
  return (
    <form className={styles.find} onSubmit={(event) => void find(event)}>
      <Field
        label={t`Add by user id`}
        value={userid}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setUserid(event.target.value)}
        error={problem}
      />
      <Button type="submit" disabled={userid.trim() === ''}>
        <Trans>Add</Trans>
      </Button>
    </form>
  );
}
