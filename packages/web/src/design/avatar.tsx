// The picture of a user, group or room. Without one, or if it does not load, it is drawn from
// the id, so that it is the same on every device.
import { memo, useState } from 'react';
import styles from './avatar.module.css';
import { cx } from './cx.ts';

export interface AvatarProps {
  readonly mid: string;
  readonly name: string;
  /** The address of the picture. */
  readonly src?: string | undefined;
  readonly size?: 's' | 'm' | 'l' | 'xl';
  /** A group or room has corners, a person is round. */
  readonly shape?: 'person' | 'group';
}

const HUES = 12;

/** Returns a number from an id. The same id gives the same number everywhere. */
export function hashOf(id: string): number {
  let hash = 2166136261;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
  return hash >>> 0;
}

/** Returns the first characters of the first two words, as a person sees characters. */
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
