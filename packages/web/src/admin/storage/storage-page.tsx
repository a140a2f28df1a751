// Storage: the disk, the accounts with the most media, and what a time limit would remove.
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { HardDrive } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../design/empty.tsx';
import { Field } from '../../design/field.tsx';
import { fileSize } from '../../words/numbers.ts';
import { reasonOf } from '../client/act.ts';
import { adminClient, noteEnd } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { Page, Section, Shown } from '../parts/page.tsx';
import { placeAt } from '../parts/place.ts';
import { Rows } from '../parts/rows.tsx';
import { AccountRow } from '../people/account-row.tsx';
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
      <DryRun />
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

/** Counts what a time limit for media would remove, and removes nothing. */
function DryRun() {
  const { t, i18n } = useLingui();
  const [days, setDays] = useState('90');
  const [result, setResult] = useState<string>();
  const [fault, setFault] = useState<string>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFault(undefined);
    try {
      const { objects, bytes } = await adminClient().countExpiredMedia({ days: Number(days) });
      const size = fileSize(i18n.locale, bytes);
      const count = plural(objects, { one: '# object', other: '# objects' });
      setResult(objects === 0 ? t`Nothing would be removed.` : t`${count} with ${size} would be removed.`);
    } catch (error) {
      noteEnd(error);
      setResult(undefined);
      setFault(reasonOf(error));
    }
  };
  return (
    <Section
      title={t`What a time limit would remove`}
      note={
        <Trans>
          This only counts. The setting media-days removes media of messages that are older, and the texts stay.
        </Trans>
      }
    >
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <Field
          label={t`Days`}
          type="number"
          min={0}
          max={99_999}
          required
          value={days}
          error={fault}
          onChange={({ target }) => setDays(target.value)}
        />
        <Button type="submit">
          <Trans>Count</Trans>
        </Button>
        <p role="status" className={styles.result}>
          {result}
        </p>
      </form>
    </Section>
  );
}
