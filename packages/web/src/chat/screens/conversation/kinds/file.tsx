// A message with a file: its name, its size, and a button that saves it. The page never opens the file.
import { useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { DownloadIcon, FileIcon } from 'lucide-react';
import { useState } from 'react';
import { announce } from '../../../../access/live-region.tsx';
import { IconButton } from '../../../../design/button.tsx';
import { fileSize } from '../../../../words/numbers.ts';
import { useRemote } from '../../../client/context.tsx';
import { bytesOf } from '../../../media/about-media.ts';
import { safeFileName } from '../../../media/file-name.ts';
import { FileNameText } from '../../../media/file-name-text.tsx';
import { type MediaProblem, mediaProblem } from '../../../media/media-problem.ts';
import { saveFile } from '../../../media/save-file.ts';
import styles from './media.module.css';
import { Download } from './media-box.tsx';

export interface FileContentProps {
  readonly message: StoredMessage;
  /** A text that says why the message is shown as a file, if it was sent as something else. */
  readonly note?: string;
}

export function FileContent({ message, note }: FileContentProps) {
  const { t, i18n } = useLingui();
  const remote = useRemote();
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState<MediaProblem>();
  const { FILE_NAME } = message.contentMetadata;
  const name = safeFileName(FILE_NAME, t`File without a name`);
  const bytes = bytesOf(message.contentMetadata);
  const save = async (): Promise<void> => {
    setLoading(true);
    setProblem(undefined);
    try {
      saveFile(await remote.engine.mediaBlob(message, ''), name);
      announce(t`${name} is saved`);
    } catch (error) {
      setProblem(mediaProblem(error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <>
      <div className={styles.row}>
        <span className={styles.icon} aria-hidden="true">
          <FileIcon />
        </span>
        <p className={styles.about}>
          <strong>
            <FileNameText name={name} />
          </strong>
          {bytes !== undefined && <span>{fileSize(i18n.locale, bytes)}</span>}
        </p>
        {!isLoading && (
          <IconButton label={t`Save ${name}`} onClick={() => void save()}>
            <DownloadIcon />
          </IconButton>
        )}
      </div>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {isLoading && <Download messageId={message.id} />}
      {problem && (
        <p className={styles.problem} role="status">
          {i18n._(problem.text)}
        </p>
      )}
    </>
  );
}
