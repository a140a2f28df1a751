// Shows the pictures of a chat in full size, with zoom and buttons for the next picture, the previous picture, and
// saving. Only the shown picture and its neighbours are loaded.
import 'yet-another-react-lightbox/styles.css';
import { Trans, useLingui } from '@lingui/react/macro';
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { DownloadIcon } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import Lightbox, { type GenericSlide, type Slide } from 'yet-another-react-lightbox';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import { Button } from '../../design/button.tsx';
import { useMirrorShallow, useRemote } from '../client/context.tsx';
import { safeFileName } from '../media/file-name.ts';
import { saveFile } from '../media/save-file.ts';
import { shelf } from '../media/shelf.ts';
import { loadWhole, wholeKey } from '../media/use-media.ts';
import { isUnsent } from '../rows/preview.ts';
import { Download, FailedMedia } from '../screens/conversation/kinds/media-box.tsx';
import styles from './viewer.module.css';

declare module 'yet-another-react-lightbox' {
  interface SlideTypes {
    waiting: WaitingSlide;
  }
}

/** A picture that is not loaded yet. */
interface WaitingSlide extends GenericSlide {
  readonly type: 'waiting';
  readonly message: StoredMessage;
}

const isPicture = (message: StoredMessage): boolean =>
  message.contentType === contentTypes.IMAGE && !isUnsent(message) && message.sealing.state !== 'unopened';

export interface ViewerProps {
  readonly messageId: string;
  readonly chatMid: string;
  readonly onClose: () => void;
}

export default function Viewer({ messageId, chatMid, onClose }: ViewerProps) {
  const { t } = useLingui();
  const pictures = useMirrorShallow(({ conversations }) =>
    (conversations.get(chatMid)?.messages ?? []).filter(isPicture),
  );
  const [shownId, setShownId] = useState(messageId);
  const index = Math.max(
    0,
    pictures.findIndex(({ id }) => id === shownId),
  );
  useNeighbours(pictures, index);
  const urls = useSyncExternalStore(shelf.subscribe, () => pictures.map(urlOf).join(' ')).split(' ');
  const slides = pictures.map(
    (message, at): Slide => (urls[at] ? { src: urls[at], alt: t`Picture` } : { type: 'waiting', message }),
  );
  const labels = {
    Lightbox: t`Pictures of the chat`,
    'Photo gallery': t`Pictures of the chat`,
    Carousel: t`Pictures`,
    Slide: t`Picture`,
    Previous: t`Previous picture`,
    Next: t`Next picture`,
    Close: t`Close`,
    'Zoom in': t`Zoom in`,
    'Zoom out': t`Zoom out`,
  };
  const shown = pictures[index];
  const save = (): void => {
    const entry = shown && shelf.get(wholeKey(shown));
    if (entry?.state === 'ready') saveFile(entry.blob, safeFileName(shown?.contentMetadata.FILE_NAME, t`picture`));
  };
  return (
    <Lightbox
      open
      close={onClose}
      index={index}
      slides={slides}
      plugins={[Zoom]}
      className={styles.viewer ?? ''}
      carousel={{ finite: true, imageProps: { draggable: false } }}
      controller={{ closeOnBackdropClick: true }}
      animation={{ fade: 160, swipe: 200 }}
      labels={labels}
      on={{ view: ({ index: at }) => setShownId((id) => pictures[at]?.id ?? id) }}
      toolbar={{
        buttons: [
          <button
            key="save"
            type="button"
            className="yarl__button"
            aria-label={t`Save the picture`}
            title={t`Save the picture`}
            onClick={save}
          >
            <DownloadIcon />
          </button>,
          'close',
        ],
      }}
      render={{ slide: ({ slide }) => (slide.type === 'waiting' ? <Waiting message={slide.message} /> : undefined) }}
    />
  );
}

const urlOf = (message: StoredMessage): string => {
  const entry = shelf.get(wholeKey(message));
  return entry.state === 'ready' ? entry.url : '';
};

/** Loads the shown picture, the one before and the one after it. Keeps them until other pictures are shown. */
function useNeighbours(pictures: readonly StoredMessage[], index: number): void {
  const remote = useRemote();
  const near = pictures.slice(Math.max(0, index - 1), index + 2);
  const keys = near.map(wholeKey).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say which pictures are near
  useEffect(() => {
    const held = near.map((message) => shelf.hold(wholeKey(message), () => loadWhole(remote, message)));
    return () => {
      for (const release of held) release();
    };
  }, [keys, remote]);
}

function Waiting({ message }: { message: StoredMessage }) {
  const remote = useRemote();
  const entry = useSyncExternalStore(shelf.subscribe, () => shelf.get(wholeKey(message)));
  const retry = (): void => shelf.retry(wholeKey(message), () => loadWhole(remote, message));
  return (
    <div className={styles.waiting}>
      {entry.state === 'failed' && (
        <FailedMedia problem={entry.problem} size={{ width: 260, height: 160 }} onRetry={retry} />
      )}
      {entry.state === 'loading' && <Download messageId={message.id} />}
      {/* The download was cancelled. */}
      {entry.state === 'none' && (
        <Button look="quiet" onClick={retry}>
          <Trans>Try again</Trans>
        </Button>
      )}
    </div>
  );
}
