// A message with a text, which can contain links, mentions and emoji of packs.
import type { StoredMessage } from '@sealpost/sdk';
import { cx } from '../../../../design/cx.ts';
import { useMirror } from '../../../client/context.tsx';
import { piecesOf } from '../../../rows/text-pieces.ts';
import styles from './kinds.module.css';
import { PackEmoji } from './pack-emoji.tsx';

export function TextContent({ message }: { message: StoredMessage }) {
  const me = useMirror(({ status }) => status.session?.mid);
  return (
    <p className={styles.text} dir="auto">
      {piecesOf(message).map((piece) => {
        if (piece.kind === 'link') {
          return (
            <a key={piece.start} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
              {piece.text}
            </a>
          );
        }
        if (piece.kind === 'mention') {
          return (
            <strong key={piece.start} className={cx(styles.mention, piece.mid === me && styles.me)}>
              {piece.text}
            </strong>
          );
        }
        if (piece.emoji) return <PackEmoji key={piece.start} emoji={piece.emoji} text={piece.text} />;
        return <span key={piece.start}>{piece.text}</span>;
      })}
    </p>
  );
}
