// Shows the progress of the computation that an open server requires before it opens an account.
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import styles from './join-screen.module.css';

export function WorkProgress({ share }: { share: number }) {
  const id = useId();
  return (
    <div className={styles.work} role="status">
      <p id={id}>
        <Trans>Your device works for some seconds. This keeps programs from opening many accounts.</Trans>
      </p>
      <progress aria-labelledby={id} value={share} />
    </div>
  );
}
