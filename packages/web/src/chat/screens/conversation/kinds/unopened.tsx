// A sealed message that does not open: why, and what helps.
import { Trans } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { LockKeyhole } from 'lucide-react';
import styles from './kinds.module.css';

export function UnopenedContent({ message: { sealing } }: { message: StoredMessage }) {
  if (sealing.state !== 'unopened') return null;
  return (
    <div className={styles.unopened}>
      <p>
        <LockKeyhole aria-hidden="true" />
        <strong>
          <Trans>This message stays sealed</Trans>
        </strong>
      </p>
      <p>{sealing.cause}</p>
      <p className={styles.quiet}>{sealing.remedy}</p>
    </div>
  );
}
