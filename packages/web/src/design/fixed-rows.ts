// Finds which rows of a long list to render: those in view, and a few around them. All rows have the same height.
import { useCallback, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Number of rows that are rendered above and below the visible ones. */
const AROUND = 6;

export interface FixedRows {
  /** The height of all rows together, in pixels. */
  readonly total: number;
  /** The indices of the rows to render. */
  readonly shown: readonly number[];
  /** Scrolls as little as needed to bring a row into view. The row is rendered when this returns. */
  show(index: number): void;
}

/**
 * Returns which rows of a list to render.
 * @param scroller the element that scrolls; null while there is none
 */
export function useFixedRows(scroller: HTMLElement | null, count: number, rowPx: number): FixedRows {
  const [first, setFirst] = useState(0);
  const [end, setEnd] = useState(0);
  const look = useCallback(
    ({ scrollTop, clientHeight }: HTMLElement): void => {
      setFirst(Math.max(0, Math.floor(scrollTop / rowPx) - AROUND));
      setEnd(Math.ceil((scrollTop + clientHeight) / rowPx) + AROUND);
    },
    [rowPx],
  );
  useLayoutEffect(() => {
    if (!scroller) return;
    const lookHere = (): void => look(scroller);
    lookHere();
    scroller.addEventListener('scroll', lookHere, { passive: true });
    const resized = new ResizeObserver(lookHere);
    resized.observe(scroller);
    return () => {
      scroller.removeEventListener('scroll', lookHere);
      resized.disconnect();
    };
  }, [scroller, look]);

  const shownEnd = Math.min(end, count);
  // If the list has just become shorter, `first` still has the old scroll position, which may be beyond the end.
  const shownFirst = Math.min(first, Math.max(0, shownEnd - AROUND));
  return {
    total: count * rowPx,
    shown: Array.from({ length: shownEnd - shownFirst }, (_, place) => shownFirst + place),
    show(index) {
      if (!scroller) return;
      const top = index * rowPx;
      const { scrollTop, clientHeight } = scroller;
      scroller.scrollTop = Math.min(top, Math.max(scrollTop, top + rowPx - clientHeight));
      flushSync(() => look(scroller));
    },
  };
}
