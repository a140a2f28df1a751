// Five words that two screens must show alike.
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
