// The page of one report: its content, who takes care of it, and the decision.
import { Trans, useLingui } from '@lingui/react/macro';
import type { Report } from '@sealpost/sdk/admin';
import { ArrowLeft, Ban, Check, UserCheck, UserMinus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { act, refusalOf } from '../client/act.ts';
import { useKept } from '../client/kept.ts';
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

/** Returns the function that says who was faster, if a change was refused because of that. */
function useExplain(report: string): (error: unknown) => Promise<string | undefined> {
  const { t } = useLingui();
  return async (error) => {
    const code = refusalOf(error)?.code;
    if (code !== 'report-changed' && code !== 'report-resolved') return undefined;
    const now = await adminClient()
      .showReport({ report })
      .catch(() => undefined);
    if (!now) return undefined;
    const { assignedTo, resolvedBy } = now;
    if (resolvedBy !== undefined) return t`Nothing was changed: ${resolvedBy} has resolved the report already.`;
    return assignedTo === undefined
      ? t`Nothing was changed: nobody takes care of the report any more.`
      : t`Nothing was changed: ${assignedTo} takes care of the report now.`;
  };
}

interface ActionsProps {
  readonly report: Report;
  readonly onChanged: () => Promise<void>;
}

function Actions({ report: { id, assignedTo = '', reportedDisabled }, onChanged }: ActionsProps) {
  const { t } = useLingui();
  const me = useSession(({ login }) => login?.administrator ?? '');
  const [asked, setAsked] = useKept<'dismiss' | 'disable-account' | undefined>(`report/${id}`, () => undefined);
  const [note, setNote] = useKept(`report/${id}/note`, () => '');
  const explain = useExplain(id);
  // A colleague may have been faster. So each call says what this page knows.
  const assign = (to: string, known: string): Promise<unknown> =>
    adminClient().assignReport({ report: id, to, ifAssignedTo: known });
  const move = (to: string, done: string): void => {
    const undo = (): Promise<unknown> => assign(assignedTo, to);
    void act(() => assign(to, assignedTo), { done, undo, after: onChanged, explain });
  };
  const resolve = (action: 'dismiss' | 'disable-account'): Promise<boolean> =>
    act(() => adminClient().resolveReport({ report: id, action, note, ifAssignedTo: assignedTo }), {
      done: t`The report is resolved.`,
      after: onChanged,
      explain,
    });
  return (
    <>
      {assignedTo === me ? (
        <Button icon={<UserMinus size={18} />} onClick={() => move('', t`Nobody takes care of it now.`)}>
          <Trans>Give it back</Trans>
        </Button>
      ) : (
        <Button icon={<UserCheck size={18} />} onClick={() => move(me, t`You take care of it.`)}>
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
