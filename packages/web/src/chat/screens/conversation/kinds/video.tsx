// A message with a video: its preview and duration. Pressing it loads and plays the video.
import { useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { duration, fileSize } from '../../../../words/numbers.ts';
import { bytesOf, durationOf, shownSize } from '../../../media/about-media.ts';
import { usePreview, useWhole } from '../../../media/use-media.ts';
import styles from './media.module.css';
import { Download, FailedMedia, frameOf } from './media-box.tsx';

export function VideoContent({ message }: { message: StoredMessage }) {
  const { t, i18n } = useLingui();
  const { contentMetadata, id } = message;
  const [isWanted, setWanted] = useState(false);
  const preview = usePreview(message);
  const { entry, retry } = useWhole(message, isWanted);
  const size = shownSize(contentMetadata);
  const length = durationOf(contentMetadata);
  const bytes = bytesOf(contentMetadata);
  const poster = preview.entry.state === 'ready' ? preview.entry.url : undefined;
  if (isWanted && entry.state === 'failed') {
    return <FailedMedia problem={entry.problem} size={size} onRetry={retry} />;
  }
  if (isWanted && entry.state === 'loading') {
    return (
      <div className={styles.box} style={frameOf(size)}>
        <Download messageId={id} />
      </div>
    );
  }
  if (isWanted && entry.state === 'ready') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: people send videos without captions
      <video
        className={styles.video}
        style={frameOf(size)}
        src={entry.url}
        poster={poster}
        controls
        autoPlay
        playsInline
      />
    );
  }
  return (
    <button
      type="button"
      className={styles.picture}
      style={frameOf(size)}
      aria-label={length === undefined ? t`Play the video` : t`Play the video, ${duration(length)}`}
      onClick={() => {
        setWanted(true);
        retry();
      }}
    >
      {poster !== undefined && <img src={poster} alt="" draggable={false} />}
      <span className={styles.play}>
        <Play aria-hidden="true" />
      </span>
      <span className={styles.tag}>
        {[length !== undefined && duration(length), bytes !== undefined && fileSize(i18n.locale, bytes)]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </button>
  );
}
