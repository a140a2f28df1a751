// A number in a pill, such as the number of unread messages.

import styles from './badge.module.css';
import { cx } from './cx.ts';

const MOST = 99;

export function Badge({ count, label, quiet = false }: { count: number; label: string; quiet?: boolean }) {
  if (count === 0) return null;
  return (
    <span className={cx(styles.badge, quiet && styles.quiet)}>
      <span aria-hidden="true">{count > MOST ? `${MOST}+` : count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
