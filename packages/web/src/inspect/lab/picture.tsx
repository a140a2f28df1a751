// The frame of a picture. On a phone, the picture scrolls sideways.
import { type ReactNode, useId } from 'react';
import styles from './pictures.module.css';

export interface PictureProps {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
}

export function Picture({ title, width, height, children }: PictureProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.frame} tabIndex={0} aria-label={title}>
      <svg className={styles.picture} viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
        <title id={id}>{title}</title>
        {children}
      </svg>
    </section>
  );
}
