// A placeholder for a message that its sender has unsent.
import { Trans } from '@lingui/react/macro';
import styles from './kinds.module.css';

export function UnsentContent() {
  return (
    <p className={styles.quiet}>
      <Trans>This message was unsent</Trans>
    </p>
  );
}
