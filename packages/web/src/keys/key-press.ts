// The fields of a keyboard event that handlers of keys read.

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'keyCode'
>;

const COMPOSING = 229;

/**
 * Returns true while an input method composes text, and so uses the key itself. Some browsers report this only by a
 * special key code.
 */
export const isComposing = ({ isComposing: composing, keyCode }: Pick<KeyPress, 'isComposing' | 'keyCode'>): boolean =>
  composing || keyCode === COMPOSING;
