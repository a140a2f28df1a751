// The page "Reports": the list of abuse reports, and the page of each report.
import { Trans, useLingui } from '@lingui/react/macro';
import type { Report } from '@sealpost/sdk/admin';
import { Flag } from 'lucide-react';
import { Empty } from '../../design/empty.tsx';
import { adminClient } from '../client/session.ts';
import { useListed } from '../client/use-listed.ts';
import { Listing } from '../parts/listing.tsx';
import { Page, Tag } from '../parts/page.tsx';
import { type Place, placeAt } from '../parts/place.ts';
import { RowFact, RowText } from '../parts/rows.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { When } from '../parts/when.tsx';
import { contentOf, useReasons } from './reasons.ts';
import { ReportPage } from './report-page.tsx';

export default function ReportsPage({ chosen, filters }: Place) {
  return chosen === undefined ? <Inbox status={filters.status} /> : <ReportPage report={chosen} />;
}

function Inbox({ status }: { readonly status: string | undefined }) {
  const { t } = useLingui();
  const reasons = useReasons();
  const wanted = status === 'resolved' ? 'resolved' : 'open';
  const reports = useListed<Report>(wanted, async (cursor) => {
    const { reports: items, cursor: next } = await adminClient().listReports({
      status: wanted,
      ...(cursor !== undefined && { cursor }),
    });
    return { items, cursor: next };
  });
  return (
    <Page title={t`Reports`}>
      <Tabs
        label={t`Which reports`}
        tabs={[
          { id: 'open', name: t`Open`, href: placeAt('reports') },
          { id: 'resolved', name: t`Resolved`, href: placeAt('reports', undefined, { status: 'resolved' }) },
        ]}
        current={wanted}
      />
      <Listing
        label={t`Reports`}
        of={reports}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => placeAt('reports', id)}
        empty={
          <Empty icon={<Flag />} title={wanted === 'open' ? t`No open reports` : t`No report was resolved yet`}>
            <Trans>When somebody reports a person or a message, it appears here.</Trans>
          </Empty>
        }
      >
        {({ report, reportedMid, reportedDisabled, assignedTo, createdTime, resolution }) => {
          const { names, name } = contentOf(report);
          return (
            <>
              <RowText
                title={
                  <>
                    <bdi>{name ?? reportedMid}</bdi>
                    {reportedDisabled && <Tag look="danger">{t`disabled`}</Tag>}
                    {resolution === 'dismiss' && <Tag>{t`dismissed`}</Tag>}
                  </>
                }
              >
                {reasons(names) || t`No reason was given`}
              </RowText>
              <RowFact wide>
                {assignedTo === undefined ? (
                  t`nobody takes care of it`
                ) : (
                  <Trans>
                    <bdi>{assignedTo}</bdi> takes care of it
                  </Trans>
                )}
              </RowFact>
              <RowFact wide>
                <Trans>
                  received <When time={createdTime} />
                </Trans>
              </RowFact>
            </>
          );
        }}
      </Listing>
    </Page>
  );
}
