// What a handler needs to know of a key press.

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'keyCode'
>;

const COMPOSING = 229;

/** Returns whether an input method is composing. Some browsers tell it only by the key code. */
export const isComposing = ({ isComposing: composing, keyCode }: Pick<KeyPress, 'isComposing' | 'keyCode'>): boolean =>
  composing || keyCode === COMPOSING;
