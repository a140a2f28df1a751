// The picture of a user, group or room. Without a picture, or if it does not load, the initials are shown on a colour.
// The colour depends only on the id, so it is the same on every device.
import { memo, useState } from 'react';
import styles from './avatar.module.css';
import { cx } from './cx.ts';

export interface AvatarProps {
  readonly mid: string;
  readonly name: string;
  /** The address of the picture. */
  readonly src?: string | undefined;
  readonly size?: 's' | 'm' | 'l' | 'xl';
  /** `person` is a circle, `group` a square with round corners. Rooms are shown as groups. */
  readonly shape?: 'person' | 'group';
}

const HUES = 12;

/** Returns a number from an id. The same id gives the same number everywhere. */
export function hashOf(id: string): number {
  let hash = 2166136261;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
  return hash >>> 0;
}

/**
 * Returns the initials of a name: the first character, such as a letter or an emoji, of each of the first two words.
 */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u).slice(0, 2);
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return words
    .map((word) => [...segments.segment(word)][0]?.segment ?? '')
    .join('')
    .toLocaleUpperCase();
}

export const Avatar = memo(function Avatar({ mid, name, src, size = 'm', shape = 'person' }: AvatarProps) {
  const className = cx(styles.avatar, styles[size], shape === 'group' && styles.group);
  const [missing, setMissing] = useState<string>();
  if (src !== undefined && src !== missing) {
    return <img className={className} src={src} alt="" draggable={false} onError={() => setMissing(src)} />;
  }
  const hash = hashOf(mid);
  const hue = (hash % HUES) * (360 / HUES) + 15;
  return (
    <span
      className={className}
      style={{ '--hue': hue, '--turn': `${(hash >>> 8) % 360}deg` } as object}
      aria-hidden="true"
    >
      {initialsOf(name)}
    </span>
  );
});
