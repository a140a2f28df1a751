// A strip that offers a backup of the keys. After the person has answered, it is not shown again.
import { Trans, useLingui } from '@lingui/react/macro';
import { ShieldCheck } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button } from '../../design/button.tsx';
import { cx } from '../../design/cx.ts';
import { attempt } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import { openOverlay } from '../overlays/overlays.ts';
import { routes } from '../routes.ts';
import styles from './strip.module.css';

const lists: readonly string[] = [routes.chats, routes.contacts, routes.settings];

export function BackupStrip() {
  const { t } = useLingui();
  const remote = useRemote();
  const [path] = useLocation();
  const settle = (): Promise<boolean> => attempt(() => remote.engine.settleBackupOffer());
  const open = (): void => {
    openOverlay({ kind: 'backup' });
    void settle();
  };
  return (
    <section
      className={cx(styles.strip, styles.calm)}
      aria-label={t`Backup of your keys`}
      data-inside={!lists.includes(path)}
    >
      <ShieldCheck aria-hidden="true" />
      <p className={styles.text}>
        <Trans>Your messages open only with the keys in this browser. A backup brings them back if you lose it.</Trans>
      </p>
      <div className={styles.buttons}>
        <Button look="quiet" onClick={() => void settle()}>
          <Trans>Later</Trans>
        </Button>
        <Button onClick={open}>
          <Trans>Make a backup</Trans>
        </Button>
      </div>
    </section>
  );
}
