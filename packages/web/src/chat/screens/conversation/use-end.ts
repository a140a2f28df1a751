// Finds out whether the end of the messages is in view. If so, keeps it in view when messages come and pictures load.
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { ViewState } from './conversation-view.ts';

/** Distance in pixels from the end up to which the end counts as visible. */
export const NEAR_END_PX = 80;

interface List {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtual: Pick<Virtualizer<HTMLDivElement, Element>, 'scrollToEnd'>;
}

/**
 * Returns `leftAt`: the id of the message that was the newest when the reader left the end, or undefined at the end.
 * The function `look` must be called when the list scrolls.
 */
export function useEnd({ scroller, virtual }: List, newest: string | undefined, view: StoreApi<ViewState>) {
  const [leftAt, setLeftAt] = useState<string>();
  const follows = useRef(false);
  const lastTop = useRef(0);
  const isLoaded = newest !== undefined;

  const look = (): void => {
    // Reads the position from the element, because the virtual list may learn later that it was scrolled.
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    const isNear = scrollHeight - scrollTop - clientHeight <= NEAR_END_PX;
    // New content below does not count as leaving the end. Only scrolling up does.
    const atEnd = isNear || (follows.current && scrollTop >= lastTop.current);
    follows.current = atEnd && isLoaded;
    lastTop.current = scrollTop;
    // A reader who has come back to the end no longer needs the button that goes back.
    if (atEnd && leftAt !== undefined) view.setState({ back: [] });
    setLeftAt((left) => (atEnd ? undefined : (left ?? newest)));
  };

  // A chat that opens at its upper edge causes no scroll event, so this looks once when messages are loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later, scrolling tells
  useEffect(look, [isLoaded]);

  // A banner or an on-screen keyboard makes the list smaller. Messages and pictures make its content larger. In both
  // cases the end must stay in view.
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
