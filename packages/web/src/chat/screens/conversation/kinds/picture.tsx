// A message with a picture. Its frame has the final size before the picture is loaded. Pressing the picture opens the
// viewer.
import { useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { ImageIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { fileSize } from '../../../../words/numbers.ts';
import { useMirror } from '../../../client/context.tsx';
import { bytesOf, chatOf, formOf, shownSize } from '../../../media/about-media.ts';
import { safeFileName } from '../../../media/file-name.ts';
import { NO_PICTURE } from '../../../media/media-problem.ts';
import { usePicture } from '../../../media/use-media.ts';
import { FileContent } from './file.tsx';
import styles from './media.module.css';
import { FailedMedia, frameOf } from './media-box.tsx';

const Viewer = lazy(() => import('../../../overlays/viewer.tsx'));

export function PictureContent({ message }: { message: StoredMessage }) {
  const { t, i18n } = useLingui();
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const [isOpen, setOpen] = useState(false);
  /** True if the browser could not read the picture, although its first bytes look like a picture. */
  const [isBroken, setBroken] = useState(false);
  const { entry, retry } = usePicture(message);
  const size = shownSize(message.contentMetadata);
  const name = safeFileName(message.contentMetadata.FILE_NAME, '');
  if (isBroken || (entry.state === 'failed' && entry.problem.reason === NO_PICTURE.reason))
    return <FileContent message={message} note={i18n._(NO_PICTURE.text)} />;
  if (entry.state === 'failed') {
    return <FailedMedia problem={entry.problem} size={size} onRetry={retry} />;
  }
  const bytes = bytesOf(message.contentMetadata);
  const waitsForPress = entry.state === 'absent' || (formOf(message) === 'nothing' && entry.state !== 'ready');
  return (
    <>
      <button
        type="button"
        className={styles.picture}
        style={frameOf(size)}
        aria-label={name ? t`Open the picture ${name}` : t`Open the picture`}
        aria-busy={entry.state === 'loading'}
        onClick={() => setOpen(true)}
      >
        {entry.state === 'ready' && <img src={entry.url} alt="" draggable={false} onError={() => setBroken(true)} />}
        {waitsForPress && <ImageIcon aria-hidden="true" />}
        {waitsForPress && bytes !== undefined && <span className={styles.tag}>{fileSize(i18n.locale, bytes)}</span>}
      </button>
      {isOpen && (
        <Suspense>
          <Viewer messageId={message.id} chatMid={chatOf(message, me)} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
