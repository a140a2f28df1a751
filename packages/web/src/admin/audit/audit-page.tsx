// The audit log: what administrators and programs did, newest first.
import { Trans, useLingui } from '@lingui/react/macro';
import type { AuditEntry } from '@sealpost/sdk/admin';
import { History } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../design/empty.tsx';
import { Field } from '../../design/field.tsx';
import { adminClient } from '../client/session.ts';
import { useListed } from '../client/use-listed.ts';
import { Listing } from '../parts/listing.tsx';
import { Page, Tag } from '../parts/page.tsx';
import { goTo, type Place, placeAt } from '../parts/place.ts';
import { RowFact, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';
import styles from './audit-page.module.css';

const FILTERS = ['actor', 'action', 'subject'] as const;
type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

const filtersOf = (given: Place['filters']): Filters =>
  Object.fromEntries(FILTERS.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));

export default function AuditPage({ filters: given }: Place) {
  const { t } = useLingui();
  const filters = filtersOf(given);
  const isFiltered = Object.keys(filters).length > 0;
  const entries = useListed<AuditEntry>(JSON.stringify(filters), async (cursor) => {
    const { entries: items, cursor: next } = await adminClient().listAudit({
      ...filters,
      ...(cursor !== undefined && { cursor }),
    });
    return { items, cursor: next };
  });
  return (
    <Page title={t`Audit log`}>
      <FilterForm key={JSON.stringify(filters)} filters={filters} isFiltered={isFiltered} />
      <Listing
        label={t`Audit log`}
        of={entries}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<History />} title={isFiltered ? t`Nothing fits these filters` : t`Nothing was done yet`}>
            {isFiltered ? (
              <Trans>Each filter names the whole value, such as account.create.</Trans>
            ) : (
              <Trans>Every change that is made here, with the command line or by a program is listed here.</Trans>
            )}
          </Empty>
        }
      >
        {({ time, actor, action, subject, detail }) => (
          <>
            <RowText
              title={
                <a className={styles.filter} href={placeAt('audit', undefined, { ...filters, action })}>
                  <Tag>{action}</Tag>
                </a>
              }
            >
              {subject && (
                <a className={styles.filter} href={placeAt('audit', undefined, { ...filters, subject })}>
                  <bdi>{subject}</bdi>
                </a>
              )}
              <Detail detail={detail} />
            </RowText>
            <RowFact>
              <a className={styles.filter} href={placeAt('audit', undefined, { ...filters, actor })}>
                <bdi>{actor}</bdi>
              </a>
            </RowFact>
            <RowFact wide>
              <When time={time} exact />
            </RowFact>
          </>
        )}
      </Listing>
    </Page>
  );
}

/** The further details of an entry, name by name. */
function Detail({ detail }: { readonly detail: unknown }) {
  const fields = typeof detail === 'object' && detail !== null ? Object.entries(detail) : [];
  const shown = fields.filter(([, value]) => value !== '');
  if (shown.length === 0) return null;
  return (
    <span className={styles.detail}>
      {shown.map(([name, value]) => (
        <span key={name}>
          {name}: <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
        </span>
      ))}
    </span>
  );
}

function FilterForm({ filters, isFiltered }: { readonly filters: Filters; readonly isFiltered: boolean }) {
  const { t } = useLingui();
  const [wanted, setWanted] = useState<Filters>(filters);
  const names = { actor: t`Who`, action: t`Action`, subject: t`About` };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    goTo('audit', undefined, filtersOf(wanted));
  };
  return (
    <form className={styles.form} aria-label={t`Filters`} onSubmit={submit}>
      {FILTERS.map((name) => (
        <Field
          key={name}
          label={names[name]}
          maxLength={200}
          value={wanted[name] ?? ''}
          onChange={({ target }) => setWanted({ ...wanted, [name]: target.value.trim() })}
        />
      ))}
      <Button type="submit">
        <Trans>Filter</Trans>
      </Button>
      {isFiltered && (
        <Button look="quiet" onClick={() => goTo('audit')}>
          <Trans>Show all</Trans>
        </Button>
      )}
    </form>
  );
}
