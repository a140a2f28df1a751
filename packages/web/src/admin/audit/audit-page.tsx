// The audit log: what administrators and programs did, newest first.
import { Trans, useLingui } from '@lingui/react/macro';
import type { AuditEntry } from '@sealpost/sdk/admin';
import { History } from 'lucide-react';
import { Empty } from '../../design/empty.tsx';
import { adminClient } from '../client/session.ts';
import { useListed } from '../client/use-listed.ts';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import { type Place, placeAt } from '../parts/place.ts';
import { RowFact, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';
import { subjectName, useParts } from './about.ts';
import styles from './audit-page.module.css';
import { FilterForm, type Filters, filtersOf } from './filter-form.tsx';
import { useActionName } from './use-action-names.ts';
import { useActorName } from './use-actor-name.ts';

export default function AuditPage({ filters: given }: Place) {
  const { t } = useLingui();
  const filters = filtersOf(given);
  const isFiltered = Object.keys(filters).length > 0;
  const key = JSON.stringify(filters);
  const entries = useListed<AuditEntry>(key, async (cursor) => {
    const { entries: items, cursor: next } = await adminClient().listAudit({
      ...filters,
      ...(cursor !== undefined && { cursor }),
    });
    return { items, cursor: next };
  });
  const chosen = entries.data?.items.find(
    ({ subject, account }) => account?.mid === subject && subject === filters.subject,
  );
  return (
    <Page title={t`Audit log`}>
      <FilterForm key={key} filters={filters} userid={chosen?.account?.userid} />
      <Listing
        label={t`Audit log`}
        of={entries}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<History />} title={isFiltered ? t`Nothing fits these filters` : t`Nothing was done yet`}>
            {isFiltered ? (
              <Trans>What was done about a deleted account is found by its mid.</Trans>
            ) : (
              <Trans>Every change that is made here, with the command line or by a program is listed here.</Trans>
            )}
          </Empty>
        }
      >
        {(entry) => <Entry entry={entry} filters={filters} />}
      </Listing>
    </Page>
  );
}

interface EntryProps {
  readonly entry: AuditEntry;
  /** The filters of the list. A press on a part of the entry adds one. */
  readonly filters: Filters;
}

function Entry({ entry, filters }: EntryProps) {
  const partsOf = useParts();
  const actionName = useActionName();
  const actorName = useActorName();
  const { time, actor, action, subject } = entry;
  const narrowed = (more: Filters): string => placeAt('audit', undefined, { ...filters, ...more });
  const name = subjectName(entry);
  return (
    <>
      <RowText
        title={
          <a className={styles.filter} href={narrowed({ action })} title={action}>
            {actionName(action)}
          </a>
        }
      >
        <div className={styles.about}>
          {name !== undefined && (
            <a className={styles.filter} href={narrowed({ subject })} title={subject}>
              <bdi className={styles.name}>{name}</bdi>
            </a>
          )}
          {partsOf(entry).map((part) => (
            <bdi key={part}>{part}</bdi>
          ))}
          <Ids entry={entry} narrowed={narrowed} />
        </div>
      </RowText>
      <RowFact wide>
        <a className={styles.filter} href={narrowed({ actor })} title={actor}>
          <bdi>{actorName(actor)}</bdi>
        </a>
      </RowFact>
      <RowFact wide>
        <When time={time} exact />
      </RowFact>
    </>
  );
}

interface IdsProps {
  readonly entry: AuditEntry;
  readonly narrowed: (filters: Filters) => string;
}

/** The entry as the server has it, with its ids, for whoever compares it with a log or asks for help. */
function Ids({ entry: { id, actor, action, subject, detail }, narrowed }: IdsProps) {
  const { t } = useLingui();
  const fields = typeof detail === 'object' && detail !== null ? Object.entries(detail) : [];
  const shown: readonly (readonly [string, string])[] = [
    ['id', id],
    ['actor', actor],
    ['action', action],
    ['subject', subject],
    ...fields.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const),
  ];
  return (
    <details className={styles.ids}>
      <summary>{t`Ids`}</summary>
      <dl>
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {name === 'subject' && value !== '' ? (
                <a className={styles.filter} href={narrowed({ subject })}>
                  <code>{value}</code>
                </a>
              ) : (
                <code>{value}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
