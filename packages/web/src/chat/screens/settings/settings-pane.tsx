// The list of settings.
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from 'wouter';
import { settingsPath } from '../../routes.ts';
import { settingsPages } from './settings-pages.tsx';
import styles from './settings-pane.module.css';

export default function SettingsPane() {
  const { t, i18n } = useLingui();
  return (
    <section className={styles.pane} aria-label={t`Settings`}>
      <h2>
        <Trans>Settings</Trans>
      </h2>
      <ul>
        {settingsPages.map(({ page, label, icon }) => (
          <li key={page}>
            <Link href={settingsPath(page)} className={styles.link ?? ''}>
              {icon}
              {i18n._(label)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
