// The settings page with announcements of the server's operator.

import { Trans, useLingui } from '@lingui/react/macro';
import type { NoticeDocument } from '@sealpost/contract';
import { Megaphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { fullTime } from '../../../words/full-times.ts';
import { problemOf } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import styles from './news-page.module.css';

export function NewsPage() {
  const { t, i18n } = useLingui();
  const remote = useRemote();
  const [news, setNews] = useState<readonly NoticeDocument[]>();
  const [problem, setProblem] = useState<string>();
  const [reading, setReading] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads again
  useEffect(() => {
    let current = true;
    remote.notices.read({ language: i18n.locale.slice(0, 2) }).then(
      ({ notices }) => current && setNews(notices.toReversed()),
      (error: unknown) => current && setProblem(problemOf(error)),
    );
    return () => {
      current = false;
    };
  }, [remote, i18n.locale, reading]);
  if (problem !== undefined) {
    const again = (): void => {
      setProblem(undefined);
      setReading(reading + 1);
    };
    return (
      <div role="alert">
        <p>{problem}</p>
        <Button onClick={again}>
          <Trans>Try again</Trans>
        </Button>
      </div>
    );
  }
  if (!news) return <div aria-busy="true" />;
  if (news.length === 0) {
    return (
      <Empty icon={<Megaphone />} title={t`No news`}>
        <Trans>What the operator of this server announces stands here.</Trans>
      </Empty>
    );
  }
  return news.map(({ id, title, body, createdTime }) => (
    <article key={id} className={styles.notice}>
      <h3 dir="auto">{title}</h3>
      <time dateTime={new Date(Number(createdTime)).toISOString()}>{fullTime(i18n.locale, Number(createdTime))}</time>
      {body && <p dir="auto">{body}</p>}
    </article>
  ));
}
