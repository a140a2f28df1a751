// A pane with a list, and its search field.
import { Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './pane.module.css';

export interface PaneProps {
  readonly label: string;
  readonly children: ReactNode;
}

export const Pane = ({ label, children }: PaneProps) => (
  <section className={styles.pane} aria-label={label}>
    {children}
  </section>
);

/** The heading of a pane, with its buttons. */
export const PaneHeader = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <header className={styles.header}>
    <h2>{title}</h2>
    {children}
  </header>
);

/** The part of a pane that scrolls. */
export const PaneScroller = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div className={cx(styles.scroller, className)} {...rest} />
);

export interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export const SearchField = ({ label, value, onValue }: SearchFieldProps) => (
  <div className={styles.search}>
    <Search aria-hidden="true" />
    <input
      type="search"
      value={value}
      placeholder={label}
      aria-label={label}
      onChange={(event) => onValue(event.target.value)}
    />
  </div>
);
