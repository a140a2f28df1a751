// A message with a sticker. An animated sticker moves while it is in view, unless the person prefers less motion.
import { useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { stickerAnimation, stickerPicture } from '../../../media/sticker-address.ts';
import styles from './media.module.css';

export function StickerContent({ message: { contentMetadata } }: { message: StoredMessage }) {
  const { STKID = '', STKTXT, STKOPT } = contentMetadata;
  return <StickerPicture stickerId={STKID} text={STKTXT} moves={STKOPT?.includes('A') ?? false} />;
}

export interface StickerPictureProps {
  readonly stickerId: string;
  readonly text: string | undefined;
  readonly moves: boolean;
}

export function StickerPicture({ stickerId, text, moves }: StickerPictureProps) {
  const { t } = useLingui();
  const picture = useRef<HTMLImageElement>(null);
  const isVisible = useVisible(picture);
  const [isGone, setGone] = useState(false);
  const name = text || t`Sticker`;
  if (isGone) return <p>{name}</p>;
  const mayMove = moves && isVisible && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  return (
    <img
      ref={picture}
      className={styles.sticker}
      src={mayMove ? stickerAnimation(stickerId) : stickerPicture(stickerId)}
      alt={name}
      width={160}
      height={160}
      draggable={false}
      onError={() => setGone(true)}
    />
  );
}

function useVisible(element: RefObject<Element | null>): boolean {
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new IntersectionObserver(([entry]) => setVisible(entry?.isIntersecting ?? false));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return isVisible;
}
