// Decides whether the Enter key sends the message.
import { isComposing, type KeyPress } from '../../../../keys/key-press.ts';
import type { Preference } from '../../../preferences.ts';

/**
 * Returns true if a key press sends the message. Enter sends it, or Ctrl+Enter if the user has chosen Enter for new
 * lines. A press with Shift or Alt, or while an input method is composing, never sends it.
 */
export function sendsOnEnter(press: KeyPress, enter: Preference<'enter'>): boolean {
  if (press.key !== 'Enter' || press.shiftKey || press.altKey || isComposing(press)) return false;
  return enter === 'send' || press.ctrlKey || press.metaKey;
}
