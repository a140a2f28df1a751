// The filters of the audit log: who, what, and about whom.
import { Trans, useLingui } from '@lingui/react/macro';
import type { FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Select } from '../../design/select.tsx';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { goTo, type Place } from '../parts/place.ts';
import styles from './audit-page.module.css';
import { useActionNames } from './use-action-names.ts';
import { useActorName } from './use-actor-name.ts';

const FILTERS = ['actor', 'action', 'subject'] as const;
export type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

export const filtersOf = (given: Place['filters']): Filters =>
  Object.fromEntries(FILTERS.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));

/** Returns all who can act now. Whoever acted earlier is found by a press on an entry. */
async function loadActors(): Promise<string[]> {
  const [{ administrators }, { tokens }] = await Promise.all([
    adminClient().listAdministrators(),
    adminClient().listTokens(),
  ]);
  return [...administrators.map(({ name }) => `administrator:${name}`), ...tokens.map(({ name }) => `token:${name}`)];
}

/** Returns the mid of an account with this user id. Other texts name a subject as they are. */
async function subjectOf(text: string): Promise<string> {
  if (text === '') return '';
  const found = await adminClient()
    .showAccount({ account: text })
    .catch(() => undefined);
  return found?.mid ?? text;
}

export interface FilterFormProps {
  readonly filters: Filters;
  /** The user id of the account to which the list is narrowed, if it is one. */
  readonly userid: string | undefined;
}

export function FilterForm({ filters, userid }: FilterFormProps) {
  const { t } = useLingui();
  const actionNames = useActionNames();
  const nameOf = useActorName();
  const [text, setText] = useKept<string | undefined>('audit/about', () => undefined);
  const actors = useLoaded('actors', loadActors);
  const about = text ?? userid ?? filters.subject ?? '';
  const show = (more: Filters): void => goTo('audit', undefined, filtersOf({ ...filters, ...more }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    show({ subject: await subjectOf(about.trim()) });
  };
  const offered = new Set(['admin-token', ...(actors.data ?? []), ...(filters.actor ? [filters.actor] : [])]);
  const actions = { ...(filters.action && { [filters.action]: filters.action }), ...actionNames };
  return (
    <form className={styles.form} aria-label={t`Filters`} onSubmit={(event) => void submit(event)}>
      <Select label={t`Who`} value={filters.actor ?? ''} onChange={({ target }) => show({ actor: target.value })}>
        <option value="">{t`everybody`}</option>
        {[...offered].map((actor) => (
          <option key={actor} value={actor}>
            {nameOf(actor)}
          </option>
        ))}
      </Select>
      <Select label={t`Action`} value={filters.action ?? ''} onChange={({ target }) => show({ action: target.value })}>
        <option value="">{t`all actions`}</option>
        {Object.entries(actions).map(([action, name]) => (
          <option key={action} value={action}>
            {name}
          </option>
        ))}
      </Select>
      <Field
        label={t`About (user id or id)`}
        maxLength={200}
        value={about}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit">
        <Trans>Filter</Trans>
      </Button>
      {Object.keys(filters).length > 0 && (
        <Button look="quiet" onClick={() => goTo('audit')}>
          <Trans>Show all</Trans>
        </Button>
      )}
    </form>
  );
}
