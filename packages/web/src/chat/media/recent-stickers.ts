// The stickers that were used last on this device. A logout deletes the list.

/** The key of the list in `localStorage`. */
export const RECENT_STICKERS = 'sealpost-recent-stickers';

export interface UsedSticker {
  readonly packageId: string;
  readonly stickerId: string;
  readonly version: string;
  readonly text: string;
}

const MOST = 24;

/** Returns the list with a sticker at its beginning. */
export const withUsed = (used: readonly UsedSticker[], sticker: UsedSticker): readonly UsedSticker[] =>
  [sticker, ...used.filter(({ stickerId }) => stickerId !== sticker.stickerId)].slice(0, MOST);

const isSticker = (value: unknown): value is UsedSticker =>
  typeof value === 'object' &&
  value !== null &&
  ['packageId', 'stickerId', 'version', 'text'].every((field) => typeof Reflect.get(value, field) === 'string');

/** Reads the list from its stored form. Leaves out malformed entries. */
export function parseUsed(stored: string | null): readonly UsedSticker[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(list) ? list.filter(isSticker).slice(0, MOST) : [];
  } catch {
    return [];
  }
}
