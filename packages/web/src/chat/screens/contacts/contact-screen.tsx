// The page of a person: picture, name, status message, and the possible actions.
import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowLeft, SearchX } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button, IconButton } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { useMirror } from '../../client/context.tsx';
import { picturePathOf } from '../../client/mirror-state.ts';
import { openOverlay } from '../../overlays/overlays.ts';
import { isBlocked, isFriend, isOfficial, nameOfContact } from '../../people/relation.ts';
import { usePerson } from '../../people/use-person.ts';
import { routes, settingsPath } from '../../routes.ts';
import { SafetySection } from '../../safety/safety-section.tsx';
import { ContactActions } from './contact-actions.tsx';
import styles from './contact-screen.module.css';
import { ContactSettings } from './contact-settings.tsx';
import { GivenName } from './given-name.tsx';
import { GroupsInCommon } from './groups-in-common.tsx';

export default function ContactScreen({ mid }: { mid: string }) {
  const { t } = useLingui();
  const [, go] = useLocation();
  const { contact, known, loading, problem } = usePerson(mid);
  const me = useMirror(({ status }) => status.session?.mid);
  if (loading) return <div aria-busy="true" />;
  if (!contact) {
    return (
      <Empty
        icon={<SearchX />}
        title={problem === undefined ? t`This person is not here` : t`This person could not be looked up`}
        action={
          <Button onClick={() => go(routes.contacts)}>
            <Trans>To the contacts</Trans>
          </Button>
        }
      >
        {problem ?? <Trans>The account was deleted, or the address is wrong.</Trans>}
      </Empty>
    );
  }
  const name = nameOfContact(contact) || t`Unknown`;
  const isContact = isFriend(contact);
  return (
    <section className={styles.screen} aria-label={name}>
      <IconButton label={t`Back to the contacts`} className={styles.back} onClick={() => go(routes.contacts)}>
        <ArrowLeft />
      </IconButton>
      <div className={styles.content}>
        <header className={styles.head}>
          <LargePicture mid={mid} name={name} />
          <h2>
            <bdi>{name}</bdi>
          </h2>
          {contact.displayName !== '' && name !== contact.displayName && (
            <p className={styles.quiet}>
              <Trans>
                Calls themselves <bdi>{contact.displayName}</bdi>
              </Trans>
            </p>
          )}
          {mid === me && (
            <p className={styles.quiet}>
              <Trans>This is you.</Trans>
            </p>
          )}
          {isOfficial(contact) && (
            <p className={styles.official}>
              <Trans>Official account</Trans>
            </p>
          )}
          {isBlocked(contact) && (
            <p className={styles.blocked}>
              <Trans>You blocked this person.</Trans>
            </p>
          )}
          {contact.statusMessage && (
            <p className={styles.status} dir="auto">
              {contact.statusMessage}
            </p>
          )}
        </header>
        {mid === me ? (
          <Button onClick={() => go(settingsPath('profile'))}>
            <Trans>Change your profile</Trans>
          </Button>
        ) : (
          <>
            <ContactActions contact={contact} known={known} />
            {isContact && <GivenName contact={contact} />}
            {isContact && <ContactSettings contact={contact} />}
            <SafetySection mid={mid} />
            <GroupsInCommon mid={mid} />
          </>
        )}
      </div>
    </section>
  );
}

function LargePicture({ mid, name }: { mid: string; name: string }) {
  const { t } = useLingui();
  const path = useMirror((state) => picturePathOf(state, mid));
  if (!path) return <ChatAvatar mid={mid} size="xl" />;
  return (
    <button
      type="button"
      className={styles.picture}
      aria-label={t`Show the picture of ${name}`}
      onClick={() => openOverlay({ kind: 'picture', mid })}
    >
      <ChatAvatar mid={mid} size="xl" />
    </button>
  );
}
