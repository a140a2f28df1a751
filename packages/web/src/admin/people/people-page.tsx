// The page "People": finds accounts, and links to the page of each.
import { Trans, useLingui } from '@lingui/react/macro';
import type { AccountOverview } from '@sealpost/sdk/admin';
import { UserPlus, UserSearch } from 'lucide-react';
import { lazy, Suspense, useDeferredValue } from 'react';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../design/empty.tsx';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { useListed } from '../client/use-listed.ts';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import { goTo, type Place, placeAt } from '../parts/place.ts';
import { SearchBox } from '../parts/search-box.tsx';
import { AccountRow } from './account-row.tsx';
import styles from './people-page.module.css';
import { PersonPage } from './person-page.tsx';

const CreateDialog = lazy(() => import('./create-dialog.tsx'));

export default function PeoplePage({ chosen, filters }: Place) {
  return chosen === undefined ? <PeopleList filters={filters} /> : <PersonPage account={chosen} />;
}

function PeopleList({ filters }: Pick<Place, 'filters'>) {
  const { t } = useLingui();
  const isOfficial = filters.kind === 'official';
  const text = filters.text ?? '';
  const sought = useDeferredValue(text);
  const [creating, setCreating] = useKept('account', () => false);
  const narrow = (more: Place['filters']): void => goTo('people', undefined, { ...filters, ...more });
  const accounts = useListed<AccountOverview>(JSON.stringify([sought, isOfficial]), async (cursor) => {
    const { accounts: items, cursor: next } = await adminClient().searchAccounts({
      ...(sought !== '' && { text: sought }),
      ...(isOfficial && { kind: 'official' as const }),
      ...(cursor !== undefined && { cursor }),
    });
    return { items, cursor: next };
  });
  return (
    <Page
      title={t`People`}
      actions={
        <Button look="primary" icon={<UserPlus size={18} />} onClick={() => setCreating(true)}>
          <Trans>Create an account</Trans>
        </Button>
      }
    >
      <div className={styles.tools}>
        <SearchBox
          label={t`Name, user id, mid, e-mail or phone`}
          value={text}
          onValue={(value) => narrow({ text: value.slice(0, 200) })}
        />
        <label className={styles.official}>
          <input
            type="checkbox"
            checked={isOfficial}
            onChange={({ target }) => narrow({ kind: target.checked ? 'official' : '' })}
          />
          <Trans>Official accounts only</Trans>
        </label>
      </div>
      <Listing
        label={t`People`}
        of={accounts}
        keyOf={({ mid }) => mid}
        hrefOf={({ mid }) => placeAt('people', mid)}
        empty={
          <Empty icon={<UserSearch />} title={text === '' ? t`There are no accounts yet` : t`Nobody was found`}>
            {text === '' ? (
              <Trans>Create the first one. Then its owner can log in to the messenger.</Trans>
            ) : (
              <Trans>Try a part of the name, or the whole user id.</Trans>
            )}
          </Empty>
        }
      >
        {(account) => <AccountRow account={account} />}
      </Listing>
      <Suspense>
        {creating && (
          <CreateDialog
            kind={isOfficial ? 'official' : 'user'}
            onClose={() => setCreating(false)}
            onFailed={accounts.reload}
          />
        )}
      </Suspense>
    </Page>
  );
}
