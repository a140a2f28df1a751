// An emoji of a pack inside a text. If its picture does not load, the text that it replaces is shown.
import { useState } from 'react';
import { emojiPicture } from '../../../media/sticker-address.ts';
import type { EmojiOfPack } from '../../../rows/text-pieces.ts';
import styles from './kinds.module.css';

export function PackEmoji({ emoji: { productId, sticonId }, text }: { emoji: EmojiOfPack; text: string }) {
  const [isGone, setGone] = useState(false);
  if (isGone) return text;
  return (
    <img
      className={styles.emoji}
      src={emojiPicture(productId, sticonId)}
      alt={text}
      draggable={false}
      onError={() => setGone(true)}
    />
  );
}
