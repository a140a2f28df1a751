// The page "Settings": the settings with which the server runs. They cannot be changed here.
import { Trans, useLingui } from '@lingui/react/macro';
import { Search } from 'lucide-react';
import { Empty } from '../../design/empty.tsx';
import { RadioList } from '../../design/radio-list.tsx';
import { languages } from '../../words/languages.ts';
import { showFailure } from '../client/act.ts';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { Page, Section, Shown, Tag } from '../parts/page.tsx';
import { RowFact, Rows, RowText } from '../parts/rows.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { changeLanguage } from '../words.ts';
import styles from './settings-page.module.css';

const choices = (['en', 'ja', 'zh-Hant', 'th'] as const).map((value) => ({ value, label: languages[value] }));

export default function SettingsPage() {
  const { t, i18n } = useLingui();
  const settings = useLoaded('settings', () => adminClient().listSettings());
  const [text, setText] = useKept('settings/text', () => '');
  const wanted = text.trim().toLowerCase();
  return (
    <Page title={t`Settings`}>
      <RadioList
        label={t`Language of these pages`}
        choices={choices}
        value={choices.find(({ value }) => value === i18n.locale)?.value}
        onChange={(value) => void changeLanguage(value).catch((error: unknown) => showFailure(error))}
      />
      <Section
        title={t`Settings of the server`}
        note={
          <Trans>
            They are read at the start of the server. Change them where they come from: a flag, a variable, or the file
            sealpost.yaml. Then start the server again.
          </Trans>
        }
      >
        <SearchBox label={t`Search settings`} value={text} onValue={setText} />
        <Shown of={settings} rows={8}>
          {({ settings: all }) => {
            const found = all.filter(({ name, meaning }) => `${name} ${meaning}`.toLowerCase().includes(wanted));
            if (found.length === 0)
              return (
                <Empty icon={<Search />} title={t`No setting has this text`}>
                  <Trans>Search for a part of a name, such as “url”, or of its meaning.</Trans>
                </Empty>
              );
            return (
              <Rows label={t`Settings of the server`} items={found} keyOf={({ name }) => name}>
                {({ name, value, origin, secret, meaning }) => (
                  <>
                    <RowText title={<code>{name}</code>}>{meaning}</RowText>
                    <span className={styles.value}>
                      {value === '' ? (
                        <span className={styles.none}>
                          <Trans>empty</Trans>
                        </span>
                      ) : (
                        <code>{secret ? t`hidden` : value}</code>
                      )}
                    </span>
                    <RowFact wide>{origin === 'default' ? t`default` : <Tag look="calm">{origin}</Tag>}</RowFact>
                  </>
                )}
              </Rows>
            );
          }}
        </Shown>
      </Section>
    </Page>
  );
}
