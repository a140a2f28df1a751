// Parts of a page that can be collapsed, and cards.
import type { ReactNode } from 'react';
import { cx } from '../../design/cx.ts';
import styles from './section.module.css';

export interface SectionProps {
  readonly title: string;
  /** The content at the end of the heading. */
  readonly note?: ReactNode;
  readonly open?: boolean;
  readonly children: ReactNode;
}

export const Section = ({ title, note, open = true, children }: SectionProps) => (
  <details className={styles.section} open={open}>
    <summary>
      <h3>{title}</h3>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </summary>
    <div className={styles.content}>{children}</div>
  </details>
);

export interface CardProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export const Card = ({ title, note, className, children }: CardProps) => (
  <section className={cx(styles.card, className)} aria-label={title}>
    <header>
      <h2>{title}</h2>
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </header>
    {children}
  </section>
);

/** A list of names with their values, one pair in a line. */
export const Pairs = ({ pairs }: { readonly pairs: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={styles.pairs}>
    {pairs.map(([name, value], at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: headers may come twice, and never change their places
      <div key={at}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
