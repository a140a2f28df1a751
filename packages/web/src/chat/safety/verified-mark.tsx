// The mark beside the name of a person whose safety number was compared.
import { useLingui } from '@lingui/react/macro';
import { BadgeCheck, TriangleAlert } from 'lucide-react';
import { cx } from '../../design/cx.ts';
import styles from './seal-button.module.css';
import { useVerified } from './use-verified.ts';

export function VerifiedMark({ mid }: { mid: string }) {
  const { t } = useLingui();
  const state = useVerified(mid);
  if (state === 'verified')
    return <BadgeCheck className={styles.mark} role="img" aria-label={t`Safety number compared`} />;
  if (state === 'changed') {
    const label = t`The safety number has changed since you compared it`;
    return <TriangleAlert className={cx(styles.mark, styles.changed)} role="img" aria-label={label} />;
  }
  return null;
}
