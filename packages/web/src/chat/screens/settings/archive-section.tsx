// The archive of the account: makes it, tells how far it is, and saves it as a file.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ExportProgress } from '@sealpost/sdk/export';
import { useId } from 'react';
import { Button } from '../../../design/button.tsx';
import { toast } from '../../../design/toast.ts';
import { fileSize } from '../../../words/numbers.ts';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import type { ArchiveFailure, ArchiveState } from '../../client/protocol.ts';
import { CallError } from '../../client/remote.ts';
import { safeFileName } from '../../media/file-name.ts';
import { saveFile } from '../../media/save-file.ts';
import styles from './archive-section.module.css';

export function ArchiveSection({ userid = '' }: { userid: string | undefined }) {
  const { t } = useLingui();
  const archive = useMirror(({ status }) => status.archive);
  return (
    <section aria-label={t`Export my data`}>
      <h3>
        <Trans>Export my data</Trans>
      </h3>
      <p>
        <Trans>
          One ZIP file with your profile, contacts, chats, messages, pictures and files, opened with the keys of this
          browser. Everybody who has the file can read it: keep it safe.
        </Trans>
      </p>
      {archive?.state === 'running' && <Running progress={archive.progress} />}
      {archive?.state === 'ready' && <Ready archive={archive} userid={userid} />}
      {archive?.state === 'failed' && <Failed reason={archive.reason} detail={archive.detail} />}
      {(archive === undefined || archive.state === 'failed') && <Begin />}
    </section>
  );
}

function Begin() {
  const { t } = useLingui();
  const remote = useRemote();
  const begin = async (): Promise<void> => {
    try {
      await remote.archive.make();
    } catch (error) {
      const isGone = error instanceof CallError && error.name === 'EngineGone';
      if (isGone) toast({ text: t`The tab that made the archive was closed. Begin again.` });
      else await attempt(() => Promise.reject(error));
    }
  };
  return (
    <Button onClick={() => void begin()}>
      <Trans>Export my data</Trans>
    </Button>
  );
}

function Running({ progress }: { progress: ExportProgress | undefined }) {
  const id = useId();
  const remote = useRemote();
  const isOnline = useMirror(({ status }) => status.connection.state === 'online');
  const { done = 0, all = 0 } = progress?.chats ?? {};
  return (
    <>
      <div className={styles.work}>
        <p id={id} role="status">
          {isOnline ? (
            <Trans>The archive is being made. Leave this page open.</Trans>
          ) : (
            <Trans>The archive waits for the connection, for half a minute.</Trans>
          )}
        </p>
        <progress aria-labelledby={id} {...(all > 0 && { value: done, max: all })} />
        {progress && (
          <p className={styles.counts}>
            <Trans>
              {done} of {all} chats
            </Trans>
            <Counts progress={progress} />
          </p>
        )}
      </div>
      <Button onClick={() => void attempt(() => remote.archive.remove())}>
        <Trans>Cancel</Trans>
      </Button>
    </>
  );
}

function Ready({ archive, userid }: { archive: Extract<ArchiveState, { state: 'ready' }>; userid: string }) {
  const { i18n } = useLingui();
  const remote = useRemote();
  const size = fileSize(i18n.locale, archive.bytes);
  const { progress } = archive;
  const save = async (): Promise<void> => {
    const day = new Date().toISOString().slice(0, 10);
    saveFile(await remote.archive.file(), safeFileName(`${userid}-${day}.zip`, 'account.zip'));
  };
  return (
    <>
      <p role="status">
        <Trans>The archive is complete: {size}.</Trans>
      </p>
      {progress && (
        <p className={styles.counts}>
          <Counts progress={progress} />
        </p>
      )}
      <p className={styles.quiet}>
        <Trans>Save it now. This browser keeps it only until you remove it, load the page again or log out.</Trans>
      </p>
      <div className={styles.buttons}>
        <Button look="primary" onClick={() => void attempt(save)}>
          <Trans>Save the file</Trans>
        </Button>
        <Button look="quiet" onClick={() => void attempt(() => remote.archive.remove())}>
          <Trans>Remove it from this browser</Trans>
        </Button>
      </div>
    </>
  );
}

/** What is in the archive, and what it lacks. */
function Counts({ progress }: { progress: ExportProgress }) {
  const { messages, media, sealedMessages, missingMedia } = progress;
  return (
    <>
      <span>
        <Plural value={messages} one="# message" other="# messages" />
      </span>
      <span>
        <Plural value={media} one="# picture or file" other="# pictures and files" />
      </span>
      {sealedMessages > 0 && (
        <span>
          <Plural
            value={sealedMessages}
            one="# message stays sealed, because this browser lacks its key"
            other="# messages stay sealed, because this browser lacks their keys"
          />
        </span>
      )}
      {missingMedia > 0 && (
        <span>
          <Plural
            value={missingMedia}
            one="# picture or file is missing; its message tells why"
            other="# pictures and files are missing; their messages tell why"
          />
        </span>
      )}
    </>
  );
}

function Failed({ reason, detail }: { reason: ArchiveFailure; detail: string }) {
  const { t } = useLingui();
  const words: Record<ArchiveFailure, string> = {
    'no-server': t`The server could not be reached, so there is no archive. Export again when you are connected.`,
    'no-room': t`This browser has no room for the archive. Delete files on this device, then export again.`,
    'no-place': t`This window may not keep files, perhaps because it is a private one. Export in another window.`,
    other: t`The archive could not be made: ${detail}`,
  };
  return <p role="alert">{words[reason]}</p>;
}
