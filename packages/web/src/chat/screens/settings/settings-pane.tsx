// The list of settings, in groups.
import { Trans, useLingui } from '@lingui/react/macro';
import { Link, useLocation } from 'wouter';
import { settingsPath } from '../../routes.ts';
import { settingsGroups, settingsPages } from './settings-pages.tsx';
import styles from './settings-pane.module.css';

export default function SettingsPane() {
  const { t, i18n } = useLingui();
  const [path] = useLocation();
  return (
    <section className={styles.pane} aria-label={t`Settings`}>
      <h2>
        <Trans>Settings</Trans>
      </h2>
      {settingsGroups.map(({ group, title }) => {
        const pages = settingsPages.filter((page) => page.group === group);
        if (pages.length === 0) return null;
        return (
          <section key={group}>
            <h3>{i18n._(title)}</h3>
            <ul>
              {pages.map(({ page, label, icon }) => (
                <li key={page}>
                  <Link
                    href={settingsPath(page)}
                    className={styles.link ?? ''}
                    {...(path === settingsPath(page) && { 'aria-current': 'page' as const })}
                  >
                    {icon}
                    {i18n._(label)}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </section>
  );
}
