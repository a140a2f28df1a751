// The page "Notices": texts that the messenger shows to its users, for example about planned maintenance.
import { Trans, useLingui } from '@lingui/react/macro';
import type { Notice } from '@sealpost/sdk/admin';
import { BellRing, Plus } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useId, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Empty } from '../../design/empty.tsx';
import { Field } from '../../design/field.tsx';
import { languages } from '../../words/languages.ts';
import { act } from '../client/act.ts';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { useListed } from '../client/use-listed.ts';
import { Listing } from '../parts/listing.tsx';
import { Page, Tag } from '../parts/page.tsx';
import { RowFact, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';
import styles from './notices-page.module.css';

const Ask = lazy(() => import('../parts/ask.tsx'));

export default function NoticesPage() {
  const { t } = useLingui();
  const [writing, setWriting] = useKept('notice', () => false);
  const [withdrawn, setWithdrawn] = useState<Notice>();
  const notices = useListed<Notice>('notices', async (cursor) => {
    const { notices: items, cursor: next } = await adminClient().listNotices(cursor === undefined ? {} : { cursor });
    return { items, cursor: next };
  });
  return (
    <Page
      title={t`Notices`}
      actions={
        <Button look="primary" icon={<Plus size={18} />} onClick={() => setWriting(true)}>
          <Trans>Write a notice</Trans>
        </Button>
      }
    >
      <Listing
        label={t`Notices`}
        of={notices}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<BellRing />} title={t`No notices yet`}>
            <Trans>Write one to tell all users something, such as a planned pause of the server.</Trans>
          </Empty>
        }
      >
        {(notice) => (
          <>
            <RowText
              title={
                <>
                  <bdi>{notice.title}</bdi>
                  {notice.withdrawnTime !== undefined && <Tag>{t`withdrawn`}</Tag>}
                  {notice.showTimingWhenLogin && <Tag look="calm">{t`at login`}</Tag>}
                </>
              }
            >
              <bdi className={styles.body}>{notice.body}</bdi>
            </RowText>
            <RowFact>
              {[nameOfCode(notice.language), notice.country].filter(Boolean).join(' · ') || t`for everybody`}
            </RowFact>
            <RowFact wide>
              <Trans>
                published <When time={notice.createdTime} exact />
              </Trans>
            </RowFact>
            {notice.withdrawnTime === undefined && (
              <Button aria-label={t`Withdraw ${notice.title}`} onClick={() => setWithdrawn(notice)}>
                <Trans>Withdraw</Trans>
              </Button>
            )}
          </>
        )}
      </Listing>
      {writing && <WriteDialog onClose={() => setWriting(false)} onDone={notices.reload} />}
      <Suspense>
        {withdrawn && (
          <Ask
            title={t`Withdraw this notice?`}
            verb={t`Withdraw`}
            onYes={() =>
              act(() => adminClient().withdrawNotice({ notice: withdrawn.id }), {
                done: t`The notice was withdrawn.`,
                after: notices.reload,
              })
            }
            onClose={() => setWithdrawn(undefined)}
          >
            <p>
              <Trans>Users no longer see it. It cannot be published again; write a new one instead.</Trans>
            </p>
          </Ask>
        )}
      </Suspense>
    </Page>
  );
}

interface WriteDialogProps {
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

/** The server's codes for the languages of the messenger. */
const codes = { en: 'en', ja: 'ja', 'zh-Hant': 'zh', th: 'th' } as const;
const offered = ['en', 'ja', 'zh-Hant', 'th'] as const;

/** Returns the name of a language for its code. A code of another language is its own name. */
function nameOfCode(code: string): string {
  const known = offered.find((name) => codes[name] === code);
  return known ? languages[known] : code;
}

function WriteDialog({ onClose, onDone }: WriteDialogProps) {
  const { t } = useLingui();
  const form = useId();
  const [title, setTitle] = useKept('notice/title', () => '');
  const [body, setBody] = useKept('notice/body', () => '');
  const [language, setLanguage] = useKept('notice/language', () => '');
  const [atLogin, setAtLogin] = useKept('notice/at-login', () => false);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const published = await act(
      () => adminClient().publishNotice({ title, body, language, showTimingWhenLogin: atLogin }),
      { done: t`The notice was published.`, after: onDone },
    );
    setBusy(false);
    if (published) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`New notice`}
      closeLabel={t`Close`}
      busy={busy}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" form={form} disabled={busy}>
            <Trans>Publish</Trans>
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={(event) => void submit(event)}>
        <Field
          label={t`Title`}
          required
          maxLength={200}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <label className={styles.area}>
          <span>{t`Text`}</span>
          <textarea rows={5} maxLength={20_000} value={body} onChange={({ target }) => setBody(target.value)} />
        </label>
        <label className={styles.area}>
          <span>{t`For users of`}</span>
          <select value={language} onChange={({ target }) => setLanguage(target.value)}>
            <option value="">{t`all languages`}</option>
            {offered.map((name) => (
              <option key={name} value={codes[name]}>
                {languages[name]}
              </option>
            ))}
          </select>
        </label>
        <label className={styles.check}>
          <input type="checkbox" checked={atLogin} onChange={({ target }) => setAtLogin(target.checked)} />
          <Trans>Show it at the login</Trans>
        </label>
      </form>
    </Dialog>
  );
}
