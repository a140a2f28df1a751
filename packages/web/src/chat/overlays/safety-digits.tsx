// A safety number in groups of five digits, which people can read to each other.
import { useLingui } from '@lingui/react/macro';
import { digitGroups } from '../safety/decisions.ts';
import styles from './safety-dialog.module.css';

export function SafetyDigits({ digits }: { digits: string }) {
  const { t } = useLingui();
  return (
    <output className={styles.digits} aria-label={t`Safety number`} dir="ltr">
      {digitGroups(digits).map((group, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups never move, and two may be equal
        <span key={place}>{group} </span>
      ))}
    </output>
  );
}
