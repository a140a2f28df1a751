// What stands in the place of a picture or video: it is loading, it failed, or it waits for a click.
import { Trans, useLingui } from '@lingui/react/macro';
import { ImageOff } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Button } from '../../../../design/button.tsx';
import { useMirror, useRemote } from '../../../client/context.tsx';
import type { Size } from '../../../media/about-media.ts';
import type { MediaProblem } from '../../../media/media-problem.ts';
import styles from './media.module.css';

/** The frame of a picture: its final size, also where the bubble is narrower. */
export const frameOf = ({ width, height }: Size): CSSProperties => ({
  inlineSize: width,
  aspectRatio: `${width} / ${height}`,
});

export function FailedMedia({ problem, size, onRetry }: { problem: MediaProblem; size: Size; onRetry: () => void }) {
  const { i18n } = useLingui();
  return (
    <div className={styles.box} style={{ inlineSize: Math.max(size.width, 200), minBlockSize: size.height }}>
      <ImageOff aria-hidden="true" />
      <p role="status">{i18n._(problem.text)}</p>
      {problem.passing && (
        <Button look="quiet" onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      )}
    </div>
  );
}

/** How far a download is, with a button that ends it. */
export function Download({ messageId }: { messageId: string }) {
  const { t } = useLingui();
  const remote = useRemote();
  const transfer = useMirror(({ transfers }) => transfers.get(messageId));
  return (
    <>
      <progress
        className={styles.progress}
        aria-label={t`Loading`}
        {...(transfer && { value: transfer.done, max: transfer.total })}
      />
      <Button look="quiet" onClick={() => void remote.engine.cancelMedia(messageId)}>
        <Trans>Cancel</Trans>
      </Button>
    </>
  );
}
