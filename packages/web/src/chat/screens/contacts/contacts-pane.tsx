// The list of contacts: first requests from others, then favourites, people and official accounts.
import { Trans, useLingui } from '@lingui/react/macro';
import { QrCode, Search, UserPlus, UserRoundSearch } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { Button, IconButton } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { Pane, PaneHeader, PaneScroller, SearchField } from '../../../design/pane.tsx';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { useMirror } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { openOverlay } from '../../overlays/overlays.ts';
import { contactSections, type PeopleSection } from '../../people/people-lists.ts';
import { contactPath, type findingPeople } from '../../routes.ts';
import styles from './contacts-pane.module.css';
import { FindPerson } from './find-person.tsx';
import { Requests } from './requests.tsx';

export default function ContactsPane() {
  const { t, i18n } = useLingui();
  const contacts = useMirror((state) => state.contacts);
  const [query, setQuery] = useState('');
  const [finding, setFinding] = useState(false);
  const [timesWanted, setTimesWanted] = useState(0);
  const wanted = useHistoryState<typeof findingPeople.state | null>();
  useEffect(() => {
    if (!wanted?.finding) return;
    setFinding(true);
    setTimesWanted((times) => times + 1);
  }, [wanted]);
  const sections = useMemo(() => contactSections(contacts, query, i18n.locale), [contacts, query, i18n.locale]);
  const titles: Record<PeopleSection['kind'], string> = {
    favorites: t`Favourites`,
    people: t`People`,
    official: t`Official accounts`,
  };
  return (
    <Pane label={t`Contacts`}>
      <PaneHeader title={t`Contacts`}>
        <IconButton label={t`Let others add you`} onClick={() => openOverlay({ kind: 'own-card' })}>
          <QrCode />
        </IconButton>
        <IconButton label={t`Find somebody new`} aria-expanded={finding} onClick={() => setFinding(!finding)}>
          <UserPlus />
        </IconButton>
      </PaneHeader>
      {/* The key gives the field the focus again if the form is already open. */}
      {finding && <FindPerson key={timesWanted} onFound={() => setFinding(false)} />}
      <SearchField label={t`Search contacts`} value={query} onValue={setQuery} />
      <PaneScroller className={styles.scroller}>
        {query === '' && <Requests />}
        {sections.length === 0 && <NoContacts searching={query !== ''} onFind={() => setFinding(true)} />}
        {sections.map(({ kind, mids }) => (
          <section key={kind} aria-label={titles[kind]}>
            {(sections.length > 1 || kind !== 'people') && <h3 className={styles.title}>{titles[kind]}</h3>}
            <ul className={styles.list}>
              {mids.map((mid) => (
                <li key={mid}>
                  <PersonLink mid={mid} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </PaneScroller>
    </Pane>
  );
}

function PersonLink({ mid }: { mid: string }): ReactNode {
  const { t } = useLingui();
  const [path] = useLocation();
  const name = useMirror((state) => nameOf(state, mid));
  const status = useMirror(({ contacts }) => contacts.get(mid)?.statusMessage);
  const current = path === contactPath(mid);
  return (
    <Link href={contactPath(mid)} className={styles.person ?? ''} {...(current && { 'aria-current': 'page' as const })}>
      <ChatAvatar mid={mid} />
      <span className={styles.words}>
        <bdi>{name || t`Unknown`}</bdi>
        {status && (
          <span className={styles.status} dir="auto">
            {status}
          </span>
        )}
      </span>
    </Link>
  );
}

function NoContacts({ searching, onFind }: { searching: boolean; onFind: () => void }) {
  const { t } = useLingui();
  if (searching) return <Empty icon={<Search />} title={t`No contact has that name`} />;
  return (
    <Empty
      icon={<UserRoundSearch />}
      title={t`No contacts yet`}
      action={
        <Button look="primary" icon={<UserPlus size={18} />} onClick={onFind}>
          <Trans>Find somebody</Trans>
        </Button>
      }
    >
      <Trans>Find somebody by user id or phone number, or let others add you.</Trans>
    </Empty>
  );
}
