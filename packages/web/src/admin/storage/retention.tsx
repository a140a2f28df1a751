// Shows how long messages and media are kept. Counts what another limit would remove, and orders its removal.
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { AdminResult } from '@sealpost/sdk/admin';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { fileSize } from '../../words/numbers.ts';
import { reasonOf } from '../client/act.ts';
import { useKept } from '../client/kept.ts';
import { adminClient, noteEnd } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { Section, Shown } from '../parts/page.tsx';
import { useQuestion } from '../parts/question.tsx';
import { When } from '../parts/when.tsx';
import styles from './storage-page.module.css';

type Preview = AdminResult<'retentionPreview'>;

const USUAL_DAYS = '90';
const MOST_DAYS = 36_500;

export function Retention() {
  const { t } = useLingui();
  const settings = useLoaded('retention', () => adminClient().retentionPreview({}));
  const [days, setDays] = useKept('retention/days', () => USUAL_DAYS);
  const [counted, setCounted] = useState<Preview>();
  const [fault, setFault] = useState<string>();
  const count = async (): Promise<void> => {
    setFault(undefined);
    try {
      setCounted(await adminClient().retentionPreview({ days: Number(days) }));
    } catch (error) {
      void noteEnd(error);
      setCounted(undefined);
      setFault(reasonOf(error));
    }
  };
  const removed = async (): Promise<void> => {
    setCounted(undefined);
    await settings.reload();
  };
  return (
    <Section
      title={t`How long messages are kept`}
      note={
        <Trans>
          The server keeps everything, unless the settings message-days and media-days give a number of days. Here you
          count what is older than a number of days, and can remove it once.
        </Trans>
      }
    >
      <Shown of={settings} rows={1}>
        {(kept) => <Kept {...kept} />}
      </Shown>
      <form
        className={styles.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void count();
        }}
      >
        <Field
          label={t`Older than so many days`}
          type="number"
          min={1}
          max={MOST_DAYS}
          required
          value={days}
          error={fault}
          onChange={({ target }) => setDays(target.value)}
        />
        <Button type="submit">
          <Trans>Count</Trans>
        </Button>
      </form>
      {counted && <Counted counted={counted} onRemoved={removed} />}
    </Section>
  );
}

function Kept({ messageDays, mediaDays, ordered }: Preview) {
  const { t } = useLingui();
  const told = (days: number): string => plural(days, { one: '# day', other: '# days' });
  return (
    <Facts>
      <Fact name={t`Messages`}>{messageDays === 0 ? t`for ever` : told(messageDays)}</Fact>
      <Fact name={t`Media`}>{mediaDays === 0 ? t`as long as their messages` : told(mediaDays)}</Fact>
      {ordered.messages !== undefined && (
        <Fact name={t`Messages removed once, if before`}>
          <When time={ordered.messages} exact />
        </Fact>
      )}
      {ordered.media !== undefined && (
        <Fact name={t`Media removed once, if before`}>
          <When time={ordered.media} exact />
        </Fact>
      )}
    </Facts>
  );
}

interface CountedProps {
  readonly counted: Preview;
  readonly onRemoved: () => Promise<void>;
}

/** Shows the counts, each with a button that removes what was counted. */
function Counted({ counted: { days, messages, objects, bytes, olderMedia }, onRemoved }: CountedProps) {
  const { t, i18n } = useLingui();
  const [ask, dialog] = useQuestion(onRemoved);
  const size = (count: number): string => fileSize(i18n.locale, count);
  const objectsOf = (count: number): string => plural(count, { one: '# file', other: '# files' });
  const remove = (what: 'messages' | 'media', verb: string, text: string): void =>
    ask({
      title: t`Remove what is older than ${days} days?`,
      text,
      verb,
      done: t`The server removes it from now on, in small steps.`,
      run: () => adminClient().runRetention({ days, what }),
    });
  const found = plural(messages, { one: '# message', other: '# messages' });
  const carried = objectsOf(objects);
  const room = size(bytes);
  const media = objectsOf(olderMedia.objects);
  const mediaRoom = size(olderMedia.bytes);
  return (
    <div role="status" className={styles.counted}>
      {messages === 0 && olderMedia.objects === 0 && <p>{t`Nothing is that old.`}</p>}
      {messages > 0 && (
        <p className={styles.form}>
          <span>{t`${found}, with ${carried} (${room})`}</span>
          <Button
            look="danger"
            onClick={() =>
              remove(
                'messages',
                t`Remove messages`,
                t`The messages go from all chats of this server, with their reactions and media. Nobody can bring them back.`,
              )
            }
          >
            <Trans>Remove messages</Trans>
          </Button>
        </p>
      )}
      {olderMedia.objects > 0 && (
        <p className={styles.form}>
          <span>{t`Only media: ${media} (${mediaRoom})`}</span>
          <Button
            look="danger"
            onClick={() =>
              remove(
                'media',
                t`Remove only media`,
                t`Pictures, videos, sounds and files go, and the texts stay. Nobody can bring them back.`,
              )
            }
          >
            <Trans>Remove only media</Trans>
          </Button>
        </p>
      )}
      {dialog}
    </div>
  );
}
