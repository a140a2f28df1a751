// What to do on the device that is logged in: type the PIN, and compare the words.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../../design/button.tsx';
import { useRemote } from '../../client/context.tsx';
import styles from './login-screen.module.css';

export function WaitForDevice({ pinCode, words }: { pinCode: string; words?: string | undefined }) {
  const { t } = useLingui();
  const remote = useRemote();
  return (
    <div className={styles.wait}>
      <p>
        <Trans>Open Sealpost on a device where you are logged in, and type this PIN there:</Trans>
      </p>
      <output className={styles.pin} aria-label={t`PIN`}>
        {pinCode}
      </output>
      {words !== undefined && (
        <>
          <p>
            <Trans>It must show these words. If it shows others, refuse: somebody is between the two devices.</Trans>
          </p>
          <output className={styles.words} aria-label={t`Words to compare`}>
            {words}
          </output>
        </>
      )}
      <Button wide onClick={() => void remote.engine.cancelLogin()}>
        <Trans>Cancel</Trans>
      </Button>
    </div>
  );
}
