// The pictures and files among the loaded messages of a chat. Pressing a picture or file saves it on the device.
import { Trans, useLingui } from '@lingui/react/macro';
import { AudioLines, FileText, Film, Image } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../../../design/button.tsx';
import { listTime } from '../../../../words/dates.ts';
import { attempt } from '../../../client/attempt.ts';
import { useMirror, useRemote } from '../../../client/context.tsx';
import { nameOf } from '../../../client/mirror-state.ts';
import { safeFileName } from '../../../media/file-name.ts';
import { FileNameText } from '../../../media/file-name-text.tsx';
import { saveFile } from '../../../media/save-file.ts';
import { type ChatFile, chatFiles } from './chat-files.ts';
import styles from './details.module.css';

const FEW = 6;

const icons: Readonly<Record<ChatFile['kind'], ReactNode>> = {
  picture: <Image aria-hidden="true" />,
  video: <Film aria-hidden="true" />,
  sound: <AudioLines aria-hidden="true" />,
  file: <FileText aria-hidden="true" />,
};

export function Files({ chatMid }: { chatMid: string }) {
  const { t } = useLingui();
  const messages = useMirror(({ conversations }) => conversations.get(chatMid)?.messages);
  const files = useMemo(() => chatFiles(messages ?? []), [messages]);
  const [all, setAll] = useState(false);
  if (files.length === 0) return null;
  return (
    <section aria-label={t`Pictures and files`}>
      <h3 className={styles.title}>
        <Trans>Pictures and files</Trans>
      </h3>
      <ul>
        {(all ? files : files.slice(0, FEW)).map((file) => (
          <li key={file.message.id}>
            <File {...file} />
          </li>
        ))}
      </ul>
      {!all && files.length > FEW && (
        <Button look="quiet" onClick={() => setAll(true)}>
          <Trans>Show all</Trans>
        </Button>
      )}
    </section>
  );
}

function File({ kind, message, name }: ChatFile) {
  const { t, i18n } = useLingui();
  const remote = useRemote();
  const sender = useMirror((state) => nameOf(state, message.from));
  const titles: Record<ChatFile['kind'], string> = {
    picture: t`Picture`,
    video: t`Video`,
    sound: t`Voice message`,
    file: t`File`,
  };
  const title = safeFileName(name, titles[kind]);
  const store = () =>
    attempt(async () => {
      saveFile(await remote.engine.mediaBlob(message, ''), safeFileName(name, `${message.id}${endings[kind]}`));
    });
  return (
    <button type="button" className={styles.file} aria-label={t`Save ${title}`} onClick={() => void store()}>
      {icons[kind]}
      <span className={styles.words}>
        <FileNameText name={title} />
        <span className={styles.quiet}>
          {sender} · {listTime(i18n.locale, Number(message.createdTime), Date.now())}
        </span>
      </span>
    </button>
  );
}

const endings: Readonly<Record<ChatFile['kind'], string>> = { picture: '.jpg', video: '.mp4', sound: '.m4a', file: '' };
