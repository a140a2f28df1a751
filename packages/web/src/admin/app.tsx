// The frame of the administration pages: the sections, and the page that the URL names.

import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  Activity,
  BellRing,
  Flag,
  HardDrive,
  History,
  LogOut,
  MailPlus,
  Menu as MenuIcon,
  Moon,
  Settings,
  ShieldCheck,
  Sticker,
  Sun,
  Users,
} from 'lucide-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { keepFocus } from '../access/keep-focus.ts';
import { IconButton } from '../design/button.tsx';
import { cx } from '../design/cx.ts';
import { Menu } from '../design/menu.tsx';
import { chooseTheme, chosenTheme } from '../design/theme.ts';
import ToastRegion from '../design/toast-region.tsx';
import styles from './app.module.css';
import { showFailure } from './client/act.ts';
import { forgetLeft } from './client/kept.ts';
import { logOut, useSession } from './client/session.ts';
import { LoginPage } from './login/login-page.tsx';
import { goTo, type PageName, type Place, placeAt, usePlace } from './parts/place.ts';

interface Part {
  readonly page: PageName;
  readonly name: MessageDescriptor;
  readonly icon: ComponentType<{ readonly size?: number }>;
  readonly show: ComponentType<Place>;
}

/** All pages in the order of the navigation. */
const parts: readonly Part[] = [
  { page: 'home', name: msg`Home`, icon: Activity, show: lazy(() => import('./home/home-page.tsx')) },
  { page: 'people', name: msg`People`, icon: Users, show: lazy(() => import('./people/people-page.tsx')) },
  { page: 'invites', name: msg`Invites`, icon: MailPlus, show: lazy(() => import('./invites/invites-page.tsx')) },
  { page: 'reports', name: msg`Reports`, icon: Flag, show: lazy(() => import('./reports/reports-page.tsx')) },
  { page: 'storage', name: msg`Storage`, icon: HardDrive, show: lazy(() => import('./storage/storage-page.tsx')) },
  { page: 'notices', name: msg`Notices`, icon: BellRing, show: lazy(() => import('./notices/notices-page.tsx')) },
  { page: 'packs', name: msg`Sticker packs`, icon: Sticker, show: lazy(() => import('./packs/packs-page.tsx')) },
  { page: 'audit', name: msg`Audit log`, icon: History, show: lazy(() => import('./audit/audit-page.tsx')) },
  {
    page: 'administrators',
    name: msg`Administrators`,
    icon: ShieldCheck,
    show: lazy(() => import('./administrators/administrators-page.tsx')),
  },
  { page: 'settings', name: msg`Settings`, icon: Settings, show: lazy(() => import('./settings/settings-page.tsx')) },
];

export function App() {
  const { t } = useLingui();
  const login = useSession((state) => state.login);
  useEffect(() => keepFocus(), []);
  return (
    <>
      {login?.state === 'full' ? (
        <Frame key={login.administrator} name={login.administrator ?? ''} />
      ) : (
        <LoginPage login={login} />
      )}
      <ToastRegion label={t`Messages of the page`} closeLabel={t`Close`} />
    </>
  );
}

function Frame({ name }: { readonly name: string }) {
  const { t, i18n } = useLingui();
  const place = usePlace();
  const main = useRef<HTMLElement>(null);
  const part = parts.find(({ page }) => page === place.page) ?? parts[0];
  const where = `${place.page}/${place.chosen ?? ''}`;
  // A new page begins at its top, and a screen reader begins to read there.
  const shown = useRef(where);
  useEffect(() => {
    if (shown.current === where) return;
    shown.current = where;
    forgetLeft();
    main.current?.focus();
    main.current?.scrollTo({ top: 0 });
  }, [where]);
  useEffect(() => {
    document.title = `${part ? i18n._(part.name) : ''} · Sealpost`;
  }, [part, i18n]);
  const Shown = part?.show;
  return (
    <div className={styles.frame}>
      <header className={styles.bar}>
        <Menu
          align="start"
          trigger={
            <IconButton label={t`Pages`} className={styles.pagesButton}>
              <MenuIcon />
            </IconButton>
          }
          items={parts.map(({ page, name: text, icon: Icon }) => ({
            id: page,
            label: i18n._(text),
            icon: <Icon />,
            onSelect: () => goTo(page),
          }))}
        />
        <p className={styles.brand}>
          <img src={new URL('../../public/icon.svg', import.meta.url).href} alt="" width={24} height={24} />
          <span>{t`Administration`}</span>
        </p>
        <div className={styles.ends}>
          <span className={styles.name}>
            <bdi>{name}</bdi>
          </span>
          <ThemeButton />
          <IconButton label={t`Log out`} onClick={() => void logOut().catch((error: unknown) => showFailure(error))}>
            <LogOut />
          </IconButton>
        </div>
      </header>
      <nav className={styles.nav} aria-label={t`Pages`}>
        {parts.map(({ page, name: text, icon: Icon }) => (
          <a
            key={page}
            href={placeAt(page)}
            className={cx(styles.link, page === place.page && styles.current)}
            {...(page === place.page && { 'aria-current': 'page' as const })}
          >
            <Icon size={18} />
            {i18n._(text)}
          </a>
        ))}
      </nav>
      <main ref={main} className={styles.main} tabIndex={-1}>
        <Loading>{Shown && <Shown key={where} {...place} />}</Loading>
      </main>
    </div>
  );
}

const Loading = ({ children }: { readonly children: ReactNode }) => (
  <Suspense fallback={<div aria-busy="true" />}>{children}</Suspense>
);

function ThemeButton() {
  const { t } = useLingui();
  const [theme, setTheme] = useState(chosenTheme);
  const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  const turn = (): void => {
    const next = isDark ? 'light' : 'dark';
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <IconButton label={isDark ? t`Light colours` : t`Dark colours`} onClick={turn}>
      {isDark ? <Sun /> : <Moon />}
    </IconButton>
  );
}
