// A strip that offers a backup of the keys. After the person has answered, it is not shown again.
import { Trans, useLingui } from '@lingui/react/macro';
import { ShieldCheck } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { cx } from '../../design/cx.ts';
import { attempt } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import { openOverlay } from '../overlays/overlays.ts';
import styles from './strip.module.css';
import { useInside } from './use-inside.ts';

export function BackupStrip() {
  const { t } = useLingui();
  const remote = useRemote();
  const inside = useInside();
  const settle = (): Promise<boolean> => attempt(() => remote.engine.settleBackupOffer());
  const open = (): void => {
    openOverlay({ kind: 'backup' });
    void settle();
  };
  return (
    <section className={cx(styles.strip, styles.calm)} aria-label={t`Backup of your keys`} data-inside={inside}>
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
