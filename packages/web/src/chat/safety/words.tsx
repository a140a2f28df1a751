// The five words that must be the same on the screens of both devices.
import { useLingui } from '@lingui/react/macro';
import styles from './wait-for-device.module.css';

export function Words({ words }: { words: string }) {
  const { t } = useLingui();
  return (
    <output className={styles.words} aria-label={t`Words to compare`} translate="no">
      {words}
    </output>
  );
}
