// The content of a message that waits in the outbox.
import { useLingui } from '@lingui/react/macro';
import { contentTypes } from '@sealpost/contract';
import { duration, fileSize } from '../../../words/numbers.ts';
import type { Waiting } from '../../client/protocol.ts';
import { durationOf, shownSize } from '../../media/about-media.ts';
import { safeFileName } from '../../media/file-name.ts';
import { frameOf } from './kinds/media-box.tsx';
import { StickerPicture } from './kinds/sticker.tsx';
import styles from './waiting-message.module.css';

export function WaitingContent({ waiting: { content, file } }: { waiting: Waiting }) {
  const { t } = useLingui();
  if (file) return <WaitingFile file={file} />;
  const { contentType, contentMetadata = {}, location, text } = content;
  switch (contentType) {
    case contentTypes.STICKER:
      return <StickerPicture stickerId={contentMetadata.STKID ?? ''} text={contentMetadata.STKTXT} moves={false} />;
    case contentTypes.LOCATION:
      return <p>{location?.title || t`Place`}</p>;
    case contentTypes.CONTACT:
      return <p>{t`Contact: ${contentMetadata.displayName ?? ''}`}</p>;
    // These are forwarded. Their content is not on this device yet.
    case contentTypes.IMAGE:
      return <p>{t`Picture`}</p>;
    case contentTypes.VIDEO:
      return <p>{t`Video`}</p>;
    case contentTypes.AUDIO:
      return <p>{t`Voice message, ${duration(durationOf(contentMetadata) ?? 0)}`}</p>;
    case contentTypes.FILE:
      return (
        <p className={styles.file}>
          <bdi>{safeFileName(contentMetadata.FILE_NAME, t`File`)}</bdi>
        </p>
      );
    default:
      return (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      );
  }
}

function WaitingFile({ file }: { file: NonNullable<Waiting['file']> }) {
  const { t, i18n } = useLingui();
  const { kind, name, preview, size, duration: length } = file;
  if (preview) {
    const shape = { width: preview.width, height: preview.height };
    const shown = shownSize({ MEDIA_THUMB_INFO: JSON.stringify(shape) });
    const src = `data:image/jpeg;base64,${preview.base64}`;
    return (
      <img className={styles.picture} style={frameOf(shown)} src={src} alt={kind === 'video' ? t`Video` : t`Picture`} />
    );
  }
  if (kind === 'audio') return <p>{t`Voice message, ${duration(length ?? 0)}`}</p>;
  return (
    <p className={styles.file}>
      <bdi>{name}</bdi>
      <span>{fileSize(i18n.locale, size)}</span>
    </p>
  );
}
