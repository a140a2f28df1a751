// All keyboard shortcuts of the page. The handlers of keys, and the dialog that shows all keys, read this table.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { isComposing, type KeyPress } from './key-press.ts';

export interface KeyBinding {
  readonly id: string;
  /** The key as in `KeyboardEvent.key`, in lower case. */
  readonly key: string;
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
  readonly label: MessageDescriptor;
  /** True if the key also works while the focus is in a text field. */
  readonly inText?: boolean;
  /** `message` if the key works only on a message that has the focus. If absent, the key works on the whole page. */
  readonly place?: 'message';
}

export const keymap = [
  { id: 'palette', key: 'k', ctrl: true, inText: true, label: msg`Go to a chat or person` },
  { id: 'search', key: 'f', ctrl: true, shift: true, inText: true, label: msg`Search messages` },
  { id: 'chat-up', key: 'arrowup', alt: true, inText: true, label: msg`Previous chat` },
  { id: 'chat-down', key: 'arrowdown', alt: true, inText: true, label: msg`Next chat` },
  { id: 'keys', key: '?', label: msg`Show the keyboard shortcuts` },
  { id: 'close', key: 'escape', inText: true, label: msg`Close, or go back` },
  { id: 'message-up', key: 'arrowup', place: 'message', label: msg`Previous message` },
  { id: 'message-down', key: 'arrowdown', place: 'message', label: msg`Next message` },
  { id: 'message-last', key: 'end', place: 'message', label: msg`Newest message` },
  { id: 'reply', key: 'r', place: 'message', label: msg`Reply` },
  { id: 'react', key: 'e', place: 'message', label: msg`React` },
  { id: 'forward', key: 'f', place: 'message', label: msg`Forward` },
  { id: 'unsend', key: 'delete', place: 'message', label: msg`Unsend` },
  { id: 'message-menu', key: 'enter', place: 'message', label: msg`More about this message` },
] as const satisfies readonly KeyBinding[];

export type KeyId = (typeof keymap)[number]['id'];

/** Returns the id of the shortcut that a key press triggers at a place. The command key of a Mac counts as Ctrl. */
export function keyIdOf(press: KeyPress, inText: boolean, place?: KeyBinding['place']): KeyId | undefined {
  if (isComposing(press)) return undefined;
  const found = keymap.find((binding: KeyBinding) => {
    const { key, ctrl = false, alt = false, shift } = binding;
    if (binding.place !== place) return false;
    if (press.key.toLowerCase() !== key || (inText && !binding.inText)) return false;
    const shiftFits =
      shift === undefined
        ? key.length === 1 && !/[a-z]/.test(key)
          ? true
          : !press.shiftKey
        : press.shiftKey === shift;
    return (press.ctrlKey || press.metaKey) === ctrl && press.altKey === alt && shiftFits;
  });
  return found?.id;
}

const signs: Readonly<Record<string, string>> = { arrowup: '↑', arrowdown: '↓', escape: 'Esc', delete: 'Del' };

/** Returns a shortcut as it is written for people, such as `Ctrl+Shift+F`. */
export function keysOf({ key, ctrl, alt, shift }: KeyBinding): string {
  const name = signs[key] ?? key.charAt(0).toUpperCase() + key.slice(1);
  return [ctrl && 'Ctrl', alt && 'Alt', shift && 'Shift', name].filter(Boolean).join('+');
}
