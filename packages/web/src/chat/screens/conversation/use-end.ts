// The end of the messages: whether it is in view, and that it stays there while messages come and pictures grow.
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { ViewState } from './conversation-view.ts';

/** Pixels from the end that still count as the end. */
export const NEAR_END_PX = 80;

interface List {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtual: Pick<Virtualizer<HTMLDivElement, Element>, 'scrollToEnd'>;
}

/**
 * Returns the message that was the newest when the reader left the end; undefined at the end. `look` must be called when
 * the list scrolls.
 */
export function useEnd({ scroller, virtual }: List, newest: string | undefined, view: StoreApi<ViewState>) {
  const [leftAt, setLeftAt] = useState<string>();
  const follows = useRef(false);
  const lastTop = useRef(0);
  const isLoaded = newest !== undefined;

  const look = (): void => {
    // The virtual list may hear of the scrolling later.
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    const isNear = scrollHeight - scrollTop - clientHeight <= NEAR_END_PX;
    // What comes below does not lead away from the end. Only scrolling up does.
    const atEnd = isNear || (follows.current && scrollTop >= lastTop.current);
    follows.current = atEnd && isLoaded;
    lastTop.current = scrollTop;
    // Whoever comes back to the end needs no way back any more.
    if (atEnd && leftAt !== undefined) view.setState({ back: [] });
    setLeftAt((left) => (atEnd ? undefined : (left ?? newest)));
  };

  // A chat that opens at its upper edge does not scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later, scrolling tells
  useEffect(look, [isLoaded]);

  // The list becomes smaller under a banner or a keyboard. Its content grows with messages and pictures.
  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const resized = new ResizeObserver(() => follows.current && virtual.scrollToEnd());
    resized.observe(current);
    if (current.firstElementChild) resized.observe(current.firstElementChild);
    return () => resized.disconnect();
  }, [scroller, virtual]);

  return { leftAt, look };
}
