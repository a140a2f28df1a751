// A strip with the newest announcement that the operator wants people to see at the login. It stays until the person
// reads or closes it.
import { Trans, useLingui } from '@lingui/react/macro';
import type { NoticeDocument } from '@sealpost/contract';
import { Megaphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../design/button.tsx';
import { cx } from '../../design/cx.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import { settingsPath } from '../routes.ts';
import { seenNews, setSeenNews } from './seen-news.ts';
import styles from './strip.module.css';
import { useInside } from './use-inside.ts';

export function NewsStrip() {
  const { t } = useLingui();
  const [, go] = useLocation();
  const inside = useInside();
  const [news, close] = useNewsAtLogin();
  if (!news) return null;
  const read = (): void => {
    close();
    go(settingsPath('news'));
  };
  return (
    <section
      className={cx(styles.strip, styles.calm)}
      aria-label={t`Announcement`}
      aria-live="polite"
      data-inside={inside}
    >
      <Megaphone aria-hidden="true" />
      <p className={styles.text} dir="auto">
        <strong>{news.title}</strong>
      </p>
      <div className={styles.buttons}>
        <Button look="quiet" onClick={close}>
          <Trans>I have seen it</Trans>
        </Button>
        <Button onClick={read}>
          <Trans>Read it</Trans>
        </Button>
      </div>
    </section>
  );
}

/**
 * Reads the announcements as soon as there is a connection, until they have been read.
 * @returns the newest that is to be seen at the login and was not seen here, and a function that marks it as seen
 */
function useNewsAtLogin(): [NoticeDocument | undefined, () => void] {
  const { i18n } = useLingui();
  const remote = useRemote();
  const isOnline = useMirror(({ status }) => status.connection.state === 'online');
  const [news, setNews] = useState<NoticeDocument | null>();
  const wanted = isOnline && news === undefined;
  useEffect(() => {
    if (!wanted) return;
    const after = seenNews();
    remote.notices.read({ language: i18n.locale.slice(0, 2), ...(after !== undefined && { after }) }).then(
      ({ notices }) => setNews(notices.findLast(({ extras }) => extras.showTimingWhenLogin) ?? null),
      // The next connection reads them again.
      () => undefined,
    );
  }, [wanted, remote, i18n.locale]);
  const close = (): void => {
    if (news) setSeenNews(news.id);
    setNews(null);
  };
  return [news ?? undefined, close];
}
