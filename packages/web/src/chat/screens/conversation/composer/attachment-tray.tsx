// The files that will be sent with the next message, as small pictures or names. Each has a button that removes it.
import { useLingui } from '@lingui/react/macro';
import { FileIcon, Music, Play, X } from 'lucide-react';
import { useStore } from 'zustand';
import { duration, fileSize } from '../../../../words/numbers.ts';
import { FileNameText } from '../../../media/file-name-text.tsx';
import styles from './attachments.module.css';
import type { Attachment, Attachments } from './attachments.ts';

export function AttachmentTray({ attachments }: { attachments: Attachments }) {
  const { t } = useLingui();
  const items = useStore(attachments.store);
  if (items.length === 0) return null;
  return (
    <ul className={styles.tray} aria-label={t`To be sent`}>
      {items.map((item) => (
        <li key={item.key} className={styles.item} aria-busy={item.media === undefined}>
          <Look item={item} />
          <button
            type="button"
            className={styles.remove}
            aria-label={t`Remove ${item.name}`}
            title={t`Remove ${item.name}`}
            onClick={() => attachments.remove(item.key)}
          >
            <X />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Look({ item: { name, size, media, url } }: { item: Attachment }) {
  const { i18n } = useLingui();
  if (url !== undefined) {
    return (
      <span className={styles.picture}>
        <img src={url} alt={name} />
        {media?.kind === 'video' && (
          <span className={styles.tag}>
            <Play aria-hidden="true" />
            {media.duration !== undefined && duration(media.duration)}
          </span>
        )}
      </span>
    );
  }
  return (
    <span className={styles.file}>
      {media?.kind === 'audio' ? <Music aria-hidden="true" /> : <FileIcon aria-hidden="true" />}
      <FileNameText name={name} />
      <span>{fileSize(i18n.locale, size)}</span>
    </span>
  );
}
