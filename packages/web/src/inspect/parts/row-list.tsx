// A list of many rows of equal height, of which only the visible ones are rendered. The list is one stop of the Tab
// key; the arrow keys choose a row.
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useMemo, useState } from 'react';
import { cx } from '../../design/cx.ts';
import { useFixedRows } from '../../design/fixed-rows.ts';
import styles from './row-list.module.css';

export interface RowListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly rowPx: number;
  readonly keyOf: (item: T) => string;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  /** Called for Enter on the selected row. */
  readonly onEnter?: () => void;
  readonly className?: string | undefined;
  readonly children: (item: T) => ReactNode;
}

const PAGE_ROWS = 12;

/** Returns the index to which a key moves; undefined for other keys. */
function stepTo(key: string, at: number, count: number): number | undefined {
  const isNone = at < 0;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: isNone ? count - 1 : at - 1,
    PageDown: at + PAGE_ROWS,
    PageUp: isNone ? count - 1 : at - PAGE_ROWS,
    Home: 0,
    End: count - 1,
  };
  return steps[key];
}

export function RowList<T>(props: RowListProps<T>) {
  const { label, items, rowPx, keyOf, selected, onSelect, onEnter, className, children } = props;
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [atEnd, setAtEnd] = useState(true);
  const rows = useFixedRows(scroller, items.length, rowPx);
  // biome-ignore lint/correctness/useExhaustiveDependencies: how a key is made does not change
  const at = useMemo(
    () => (selected === undefined ? -1 : items.findIndex((item) => keyOf(item) === selected)),
    [items, selected],
  );
  const follows = atEnd && at < 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows move the end
  useLayoutEffect(() => {
    if (follows && scroller) scroller.scrollTop = scroller.scrollHeight;
  }, [follows, scroller, items.length]);
  // The chosen row stays visible when the height of rows changes. A row that the URL names is scrolled into view.

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that come at the end move nothing
  useLayoutEffect(() => {
    if (!scroller || at < 0) return;
    const { scrollTop, clientHeight } = scroller;
    scroller.scrollTop = Math.min(at * rowPx, Math.max(scrollTop, (at + 1) * rowPx - clientHeight));
  }, [scroller, rowPx, selected]);

  const idOf = (key: string): string => `${label.replaceAll(' ', '-')}-${key}`;
  const choose = (index: number): void => {
    const item = items[Math.max(0, Math.min(items.length - 1, index))];
    if (item === undefined) return;
    rows.show(items.indexOf(item));
    onSelect(keyOf(item));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = stepTo(event.key, at, items.length);
    if (step !== undefined) choose(step);
    else if (event.key === 'Enter') onEnter?.();
    else return;
    event.preventDefault();
  };
  const isShown = at >= 0 && rows.shown.includes(at);
  return (
    <div
      ref={setScroller}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      className={cx(styles.list, className)}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
        setAtEnd(scrollTop + clientHeight >= scrollHeight - rowPx)
      }
      {...(isShown && { 'aria-activedescendant': idOf(selected ?? '') })}
    >
      <div role="presentation" className={styles.all} style={{ height: rows.total }}>
        {rows.shown.map((index) => {
          const item = items[index];
          if (item === undefined) return null;
          const key = keyOf(item);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the active row
            <div
              key={key}
              id={idOf(key)}
              role="option"
              aria-selected={index === at}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className={cx(styles.row, index === at && styles.selected)}
              style={{ height: rowPx, insetBlockStart: index * rowPx }}
              onClick={() => onSelect(key)}
            >
              {children(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
