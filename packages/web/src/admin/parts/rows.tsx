// A list of rows, which may be links. The list is one stop of the Tab key; the arrow keys move from row to row.
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { movedTo } from '../../access/roving.ts';
import { cx } from '../../design/cx.ts';
import styles from './rows.module.css';

export interface RowsProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Returns the address to which a row leads. Without this function, rows cannot be pressed. */
  readonly hrefOf?: (item: T) => string;
  readonly children: (item: T) => ReactNode;
}

export function Rows<T>({ label, items, keyOf, hrefOf, children }: RowsProps<T>) {
  const list = useRef<HTMLUListElement>(null);
  const [at, setAt] = useState(0);
  const stop = Math.min(at, items.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = movedTo(event.key, stop, items.length);
    if (next === undefined || !(event.target instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    setAt(next);
    list.current?.querySelectorAll<HTMLAnchorElement>(':scope > li > a')[next]?.focus();
  };
  return (
    <ul ref={list} className={styles.rows} aria-label={label} {...(hrefOf && { onKeyDown })}>
      {items.map((item, place) => (
        <li key={keyOf(item)}>
          {hrefOf ? (
            <a
              className={cx(styles.row, styles.link)}
              href={hrefOf(item)}
              tabIndex={place === stop ? 0 : -1}
              onFocus={() => setAt(place)}
            >
              {children(item)}
            </a>
          ) : (
            <div className={styles.row}>{children(item)}</div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The main part of a row: a name, and details below it. */
export const RowText = ({ title, children }: { readonly title: ReactNode; readonly children?: ReactNode }) => (
  <div className={styles.text}>
    <div className={styles.title}>{title}</div>
    {children !== undefined && <div className={styles.below}>{children}</div>}
  </div>
);

/** A short fact at the end of a row. On a phone, the fact is shown below the name. */
export const RowFact = ({ children, wide = false }: { readonly children: ReactNode; readonly wide?: boolean }) => (
  <span className={cx(styles.fact, wide && styles.wideFact)}>{children}</span>
);
