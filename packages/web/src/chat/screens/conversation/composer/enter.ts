// What the Enter key does while one writes.
import { isComposing, type KeyPress } from '../../../../keys/keymap.ts';

/** Returns whether a key press sends the message: Enter does, unless an input method is composing or Shift is held. */
export const sendsOnEnter = (press: KeyPress): boolean =>
  press.key === 'Enter' && !press.shiftKey && !press.altKey && !isComposing(press);
