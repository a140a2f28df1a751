// The page "Storage": the free space on the disk, how long messages are kept, and the accounts with the most media.
import { Trans, useLingui } from '@lingui/react/macro';
import { HardDrive } from 'lucide-react';
import { Empty } from '../../design/empty.tsx';
import { fileSize } from '../../words/numbers.ts';
import { adminClient } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { Page, Section, Shown } from '../parts/page.tsx';
import { placeAt } from '../parts/place.ts';
import { Rows } from '../parts/rows.tsx';
import { AccountRow } from '../people/account-row.tsx';
import { Retention } from './retention.tsx';
import styles from './storage-page.module.css';

export default function StoragePage() {
  const { t, i18n } = useLingui();
  const status = useLoaded('disk', () => adminClient().showStatus());
  const largest = useLoaded('largest', async () => (await adminClient().listLargestAccounts()).accounts);
  return (
    <Page title={t`Storage`}>
      <Shown of={status} rows={1}>
        {({ disk: { freeBytes, totalBytes } }) => {
          const free = fileSize(i18n.locale, freeBytes);
          const total = fileSize(i18n.locale, totalBytes);
          return (
            <div className={styles.disk}>
              <p>
                <Trans>
                  <strong>{free}</strong> of {total} are free on the fullest disk of this server.
                </Trans>
              </p>
              <meter
                min={0}
                max={1}
                low={0.8}
                high={0.9}
                optimum={0}
                value={totalBytes === 0 ? 0 : 1 - freeBytes / totalBytes}
                aria-label={t`Used disk`}
              />
            </div>
          );
        }}
      </Shown>
      <Retention />
      <Section title={t`Largest accounts`}>
        <Shown of={largest}>
          {(accounts) =>
            accounts.length === 0 ? (
              <Empty icon={<HardDrive />} title={t`Nobody has sent media yet`}>
                <Trans>Pictures, videos, sounds and files are counted for who sent them.</Trans>
              </Empty>
            ) : (
              <Rows
                label={t`Largest accounts`}
                items={accounts}
                keyOf={({ mid }) => mid}
                hrefOf={({ mid }) => placeAt('people', mid)}
              >
                {(account) => <AccountRow account={account} />}
              </Rows>
            )
          }
        </Shown>
      </Section>
    </Page>
  );
}
