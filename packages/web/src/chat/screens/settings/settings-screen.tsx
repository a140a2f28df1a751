// One page of settings.
import { useLingui } from '@lingui/react/macro';
import { ArrowLeft } from 'lucide-react';
import { Redirect, useLocation } from 'wouter';
import { IconButton } from '../../../design/button.tsx';
import { routes } from '../../routes.ts';
import { settingsPages } from './settings-pages.tsx';
import styles from './settings-screen.module.css';

export default function SettingsScreen({ page }: { page: string }) {
  const { t, i18n } = useLingui();
  const [, go] = useLocation();
  const found = settingsPages.find((entry) => entry.page === page);
  if (!found) return <Redirect to={routes.settings} replace />;
  const { label, Content } = found;
  return (
    <section className={styles.screen} aria-label={i18n._(label)}>
      <header className={styles.header}>
        <IconButton label={t`Back to the settings`} className={styles.back} onClick={() => go(routes.settings)}>
          <ArrowLeft />
        </IconButton>
        <h2>{i18n._(label)}</h2>
      </header>
      <div className={styles.content}>
        <Content />
      </div>
    </section>
  );
}
