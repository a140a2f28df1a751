// What the Enter key does while one writes.
import { isComposing, type KeyPress } from '../../../../keys/key-press.ts';
import type { Preference } from '../../../preferences.ts';

/**
 * Returns whether a key press sends the message. Enter does, or Ctrl and Enter if the user wants new lines by Enter.
 * It never does while an input method is composing, or with Shift.
 */
export function sendsOnEnter(press: KeyPress, enter: Preference<'enter'>): boolean {
  if (press.key !== 'Enter' || press.shiftKey || press.altKey || isComposing(press)) return false;
  return enter === 'send' || press.ctrlKey || press.metaKey;
}
