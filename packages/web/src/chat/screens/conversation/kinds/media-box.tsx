// A placeholder for a picture or video that is being loaded, or that could not be loaded.
import { Trans, useLingui } from '@lingui/react/macro';
import { ImageOff } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Button } from '../../../../design/button.tsx';
import { useMirror, useRemote } from '../../../client/context.tsx';
import type { Size } from '../../../media/about-media.ts';
import type { MediaProblem } from '../../../media/media-problem.ts';
import styles from './media.module.css';

/** Returns the style of a picture's frame. Its proportions stay right if the bubble is narrower than the picture. */
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

/** Shows the progress of a download, with a button that cancels it. */
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
