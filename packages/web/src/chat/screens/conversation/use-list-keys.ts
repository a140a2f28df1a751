// Handles keys in the list of messages. Arrow keys go from message to message; other keys act on the message with the
// focus.
import type { Virtualizer } from '@tanstack/react-virtual';
import type { KeyboardEvent, RefObject } from 'react';
import { type KeyId, keyIdOf } from '../../../keys/keymap.ts';
import type { Row } from '../../rows/rows.ts';
import { nextFocusable } from './list-math.ts';

export interface ListKeysOptions {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rows: readonly Row[];
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
}

/** The `data-action` of the button in a message that each key presses. */
const buttons: Partial<Record<KeyId, string>> = {
  reply: 'reply',
  react: 'react',
  forward: 'forward',
  unsend: 'unsend',
  'message-menu': 'more',
};

const FRAMES = 4;

export function useListKeys({ scroller, rows, virtual }: ListKeysOptions) {
  function focusRow(index: number, frames = FRAMES): void {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] article`);
    if (row) row.focus({ preventScroll: true });
    else if (frames > 0) requestAnimationFrame(() => focusRow(index, frames - 1));
  }
  function goTo(index: number | undefined): void {
    if (index === undefined) return;
    virtual.scrollToIndex(index, { align: 'auto' });
    focusRow(index);
  }
  return (event: KeyboardEvent): void => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || (target !== scroller.current && target.tagName !== 'ARTICLE')) return;
    const id = keyIdOf(event.nativeEvent, false, 'message');
    if (id === undefined) return;
    const current = target === scroller.current ? rows.length : Number(target.parentElement?.dataset.index);
    const button = target.querySelector<HTMLElement>(`[data-action="${buttons[id]}"]`);
    if (id === 'message-up') goTo(nextFocusable(rows, current, -1));
    else if (id === 'message-down') goTo(nextFocusable(rows, current, 1));
    else if (id === 'message-last') goTo(nextFocusable(rows, rows.length, -1));
    else if (button && target !== scroller.current) button.click();
    else return;
    event.preventDefault();
    // Keeps the event from other handlers of keys in the page.
    event.stopPropagation();
  };
}
