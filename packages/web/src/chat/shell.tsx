// The frame around all screens after the login: sections on the left, a list, and the main pane. On a phone, only one
// pane is shown at a time.
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { MessageSquare, Settings, Users } from 'lucide-react';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { Badge } from '../design/badge.tsx';
import { useMirror } from './client/context.tsx';
import type { MirrorState } from './client/mirror-state.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import {
  AddScreen,
  Background,
  ContactScreen,
  ContactsPane,
  ConversationScreen,
  Guard,
  loadConversation,
  NoChat,
  SearchPane,
  SettingsPane,
  SettingsScreen,
} from './lazy-screens.ts';
import { chatOfPath, routes, type Section, sectionOf } from './routes.ts';
import { ChatsPane } from './screens/chats/chats-pane.tsx';
import { closeSearch, useSearch } from './search-store.ts';
import styles from './shell.module.css';

export function Shell() {
  const [path] = useLocation();
  const section = sectionOf(path);
  // Loaded after the list of chats is shown. If this fails, the code is loaded again when a chat is opened.
  useEffect(() => void loadConversation().catch(() => {}), []);
  const unread = useMirror(unreadChats);
  const searching = useSearch(({ open }) => open);
  const inside = /^\/(chats|contacts|add|settings)\/./.test(path);
  // The next account must not see what this one searched for.
  useEffect(() => closeSearch, []);
  return (
    <div className={styles.frame}>
      <Suspense>
        <Guard />
      </Suspense>
      <div className={styles.shell} data-inside={inside}>
        <Sections section={section} unread={unread} />
        <main className={styles.panes}>
          <h1 className="visually-hidden">Sealpost</h1>
          <div className={styles.list}>
            <ErrorBoundary key={section}>
              <Suspense fallback={<div aria-busy="true" />}>
                {section === 'chats' && (searching ? <SearchPane /> : <ChatsPane />)}
                {section === 'contacts' && <ContactsPane />}
                {section === 'settings' && <SettingsPane />}
              </Suspense>
            </ErrorBoundary>
          </div>
          <div className={styles.main}>
            <ConnectionBanner />
            <ErrorBoundary key={chatOfPath(path) ?? path}>
              <Suspense fallback={<div aria-busy="true" />}>
                <Switch>
                  <Route path={routes.chat}>
                    {({ mid, pane }) => <ConversationScreen key={mid} chatMid={mid} details={pane === 'details'} />}
                  </Route>
                  <Route path={routes.contact}>{({ mid }) => <ContactScreen key={mid} mid={mid} />}</Route>
                  <Route path={routes.add}>{({ userid }) => <AddScreen key={userid} userid={userid} />}</Route>
                  <Route path={routes.setting}>{({ page }) => <SettingsScreen key={page} page={page} />}</Route>
                  <Route>{section === 'chats' && <NoChat />}</Route>
                </Switch>
              </Suspense>
            </ErrorBoundary>
          </div>
        </main>
      </div>
      <Suspense>
        <Background unread={unread} />
      </Suspense>
    </div>
  );
}

const unreadChats = ({ chats }: MirrorState): number =>
  [...chats.values()].filter(({ unread, muted, hidden }) => unread > 0 && !muted && !hidden).length;

function Sections({ section, unread }: { section: Section; unread: number }) {
  const { t } = useLingui();
  return (
    <nav className={styles.sections} aria-label={t`Sections`}>
      <SectionLink path={routes.chats} current={section === 'chats'} label={t`Chats`} icon={<MessageSquare />}>
        <Badge
          count={unread}
          label={plural(unread, { one: '# chat with unread messages', other: '# chats with unread messages' })}
        />
      </SectionLink>
      <SectionLink path={routes.contacts} current={section === 'contacts'} label={t`Contacts`} icon={<Users />} />
      <SectionLink path={routes.settings} current={section === 'settings'} label={t`Settings`} icon={<Settings />} />
    </nav>
  );
}

interface SectionLinkProps {
  readonly path: string;
  readonly current: boolean;
  readonly label: string;
  readonly icon: ReactNode;
  readonly children?: ReactNode;
}

function SectionLink({ path, current, label, icon, children }: SectionLinkProps) {
  return (
    <Link
      href={path}
      className={styles.section ?? ''}
      onClick={closeSearch}
      {...(current && { 'aria-current': 'page' as const })}
    >
      <span className={styles.sectionIcon}>
        {icon}
        {children}
      </span>
      <span>{label}</span>
    </Link>
  );
}
