// Lists people who added this account, and people whom the server recommends. The user adds them or removes them from
// the list.
import { Trans, useLingui } from '@lingui/react/macro';
import type { Contact } from '@sealpost/contract';
import { Check, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { IconButton } from '../../../design/button.tsx';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import { requestsAndRecommendations } from '../../people/people-lists.ts';
import { nameOfContact } from '../../people/relation.ts';
import { contactPath } from '../../routes.ts';
import styles from './requests.module.css';

const MOST = 20;

export function Requests() {
  const { t } = useLingui();
  const remote = useRemote();
  const contacts = useMirror((state) => state.contacts);
  const [recommended, setRecommended] = useState<readonly Contact[]>([]);
  useEffect(() => {
    // Without a connection, only the people in the page's state are shown.
    remote.contacts.recommendations().then(setRecommended, () => undefined);
  }, [remote]);
  const { requests, recommendations } = useMemo(
    () => requestsAndRecommendations(contacts, recommended),
    [contacts, recommended],
  );
  const forget = (mid: string): void => setRecommended((now) => now.filter((contact) => contact.mid !== mid));
  return (
    <>
      <Group title={t`They added you`} people={requests} onForget={forget} />
      <Group title={t`You may know`} people={recommendations.slice(0, MOST)} onForget={forget} />
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly people: readonly Contact[];
  readonly onForget: (mid: string) => void;
}

function Group({ title, people, onForget }: GroupProps) {
  if (people.length === 0) return null;
  return (
    <section className={styles.group} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {people.map((contact) => (
          <li key={contact.mid}>
            <Request contact={contact} onForget={() => onForget(contact.mid)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Request({ contact, onForget }: { contact: Contact; onForget: () => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const name = nameOfContact(contact);
  const decide = async (run: () => Promise<void>): Promise<void> => {
    if (await attempt(run)) onForget();
  };
  return (
    <div className={styles.request}>
      <Link href={contactPath(contact.mid)} className={styles.person ?? ''}>
        <ChatAvatar mid={contact.mid} />
        <bdi>{name || <Trans>Unknown</Trans>}</bdi>
      </Link>
      <IconButton
        label={t`Do not show ${name} again`}
        onClick={() => void decide(() => remote.contacts.blockRecommendation(contact.mid))}
      >
        <X />
      </IconButton>
      <IconButton
        label={t`Add ${name}`}
        className={styles.accept}
        onClick={() => void decide(() => remote.contacts.acceptRecommendation(contact.mid))}
      >
        <Check />
      </IconButton>
    </div>
  );
}
