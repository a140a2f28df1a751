// The page of one report: its content, who takes care of it, and the decision.
import { Trans, useLingui } from '@lingui/react/macro';
import type { Report } from '@sealpost/sdk/admin';
import { ArrowLeft, Ban, Check, UserCheck, UserMinus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { act } from '../client/act.ts';
import { adminClient, useSession } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { Page, Section, Shown, Tag } from '../parts/page.tsx';
import { placeAt } from '../parts/place.ts';
import { Rows, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';
import { contentOf, useContentName, useReasons } from './reasons.ts';
import styles from './report-page.module.css';

const Ask = lazy(() => import('../parts/ask.tsx'));

export function ReportPage({ report }: { readonly report: string }) {
  const { t } = useLingui();
  const loaded = useLoaded(report, () => adminClient().showReport({ report }));
  return (
    <Page
      title={t`Report`}
      before={
        <a className={styles.back} href={placeAt('reports')}>
          <ArrowLeft size={16} />
          <Trans>Reports</Trans>
        </a>
      }
      actions={loaded.data?.status === 'open' && <Actions report={loaded.data} onChanged={loaded.reload} />}
    >
      <Shown of={loaded} rows={3}>
        {(shown) => <Content report={shown} />}
      </Shown>
    </Page>
  );
}

function Content({ report }: { readonly report: Report }) {
  const { t } = useLingui();
  const reasons = useReasons();
  const contentName = useContentName();
  const { names, name, messages } = contentOf(report.report);
  const { status, reporterMid, reportedMid, reportedDisabled, assignedTo, createdTime } = report;
  return (
    <>
      <Facts>
        <Fact name={t`State`}>
          {status === 'open' ? <Tag look="warn">{t`open`}</Tag> : <Tag look="calm">{t`resolved`}</Tag>}
        </Fact>
        <Fact name={t`Reason`}>{reasons(names) || t`No reason was given`}</Fact>
        <Fact name={t`Reported`}>
          <a href={placeAt('people', reportedMid)}>
            {name === undefined ? <NameOf mid={reportedMid} /> : <bdi>{name}</bdi>}
          </a>{' '}
          {reportedDisabled && <Tag look="danger">{t`disabled`}</Tag>}
        </Fact>
        <Fact name={t`Reported by`}>
          <a href={placeAt('people', reporterMid)}>
            <NameOf mid={reporterMid} />
          </a>
        </Fact>
        <Fact name={t`Received`}>
          <When time={createdTime} exact />
        </Fact>
        <Fact name={t`Taken care of by`}>{assignedTo === undefined ? t`nobody` : <bdi>{assignedTo}</bdi>}</Fact>
        {report.resolvedTime !== undefined && (
          <Fact name={t`Resolved`}>
            <When time={report.resolvedTime} exact /> · <bdi>{report.resolvedBy}</bdi> ·{' '}
            {report.resolution === 'dismiss' ? t`dismissed` : t`account disabled`}
          </Fact>
        )}
      </Facts>
      <Section
        title={t`Messages`}
        note={<Trans>The reporter attached them. The server cannot tell whether they are complete.</Trans>}
      >
        {messages.length === 0 ? (
          <p className={styles.none}>
            <Trans>No message is attached.</Trans>
          </p>
        ) : (
          <Rows label={t`Messages`} items={messages} keyOf={({ id }) => id}>
            {(message) => (
              <RowText title={<bdi className={styles.text}>{message.text || contentName(message)}</bdi>}>
                {message.time !== undefined && <When time={new Date(message.time).toISOString()} exact />}
              </RowText>
            )}
          </Rows>
        )}
      </Section>
    </>
  );
}

/** The name of an account. Until it is loaded, and if the account was deleted, shows the mid. */
function NameOf({ mid }: { readonly mid: string }) {
  const account = useLoaded(mid, () => adminClient().showAccount({ account: mid }));
  return <bdi>{account.data?.displayName ?? mid}</bdi>;
}

interface ActionsProps {
  readonly report: Report;
  readonly onChanged: () => Promise<void>;
}

function Actions({ report: { id, assignedTo, reportedDisabled }, onChanged }: ActionsProps) {
  const { t } = useLingui();
  const me = useSession(({ login }) => login?.administrator ?? '');
  const [asked, setAsked] = useState<'dismiss' | 'disable-account'>();
  const [note, setNote] = useState('');
  const assign = (to: string | undefined): Promise<unknown> =>
    adminClient().assignReport({ report: id, ...(to !== undefined && { to }) });
  const undo = (): Promise<unknown> => assign(assignedTo);
  const resolve = (action: 'dismiss' | 'disable-account'): Promise<boolean> =>
    act(() => adminClient().resolveReport({ report: id, action, note }), {
      done: t`The report is resolved.`,
      after: onChanged,
    });
  return (
    <>
      {assignedTo === me ? (
        <Button
          icon={<UserMinus size={18} />}
          onClick={() =>
            void act(() => assign(undefined), { done: t`Nobody takes care of it now.`, undo, after: onChanged })
          }
        >
          <Trans>Give it back</Trans>
        </Button>
      ) : (
        <Button
          icon={<UserCheck size={18} />}
          onClick={() => void act(() => assign(me), { done: t`You take care of it.`, undo, after: onChanged })}
        >
          <Trans>Take care of it</Trans>
        </Button>
      )}
      <Button icon={<Check size={18} />} onClick={() => setAsked('dismiss')}>
        <Trans>Dismiss</Trans>
      </Button>
      {!reportedDisabled && (
        <Button icon={<Ban size={18} />} onClick={() => setAsked('disable-account')}>
          <Trans>Disable the account</Trans>
        </Button>
      )}
      <Suspense>
        {asked && (
          <Ask
            title={asked === 'dismiss' ? t`Dismiss this report?` : t`Disable the reported account?`}
            verb={asked === 'dismiss' ? t`Dismiss` : t`Disable the account`}
            look={asked === 'dismiss' ? 'primary' : 'danger'}
            onYes={() => resolve(asked)}
            onClose={() => setAsked(undefined)}
          >
            <div className={styles.form}>
              <p>
                {asked === 'dismiss' ? (
                  <Trans>The report is closed, and the account goes on. The reporter is not told.</Trans>
                ) : (
                  <Trans>
                    The account is logged out everywhere, and the report is closed. You can enable it later.
                  </Trans>
                )}
              </p>
              <Field
                label={t`Note for the audit log (optional)`}
                maxLength={2000}
                value={note}
                onChange={({ target }) => setNote(target.value)}
              />
            </div>
          </Ask>
        )}
      </Suspense>
    </>
  );
}
