// A short coloured label, such as a status.
import type { ReactNode } from 'react';
import { cx } from '../../design/cx.ts';
import styles from './tag.module.css';

export type TagLook = 'good' | 'bad' | 'warn' | 'quiet' | 'accent';

export const Tag = ({ look, title, children }: { look: TagLook; title?: string; children: ReactNode }) => (
  <span className={cx(styles.tag, styles[look])} title={title}>
    {children}
  </span>
);
