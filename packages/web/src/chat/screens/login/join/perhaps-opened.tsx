// The offer to log in to an account that the server may have opened although its answer did not arrive.
import { Trans } from '@lingui/react/macro';
import { Button } from '../../../../design/button.tsx';
import styles from '../login-screen.module.css';

export function PerhapsOpened({ userid, onLogin }: { userid: string; onLogin: (userid: string) => void }) {
  return (
    <div className={styles.form} role="alert">
      <p>
        <Trans>
          The answer of the server did not arrive when you created an account. The account {userid} may exist already.
        </Trans>
      </p>
      <Button look="primary" wide onClick={() => onLogin(userid)}>
        <Trans>Log in as {userid}</Trans>
      </Button>
    </div>
  );
}
