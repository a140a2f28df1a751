// The settings page for the theme, light or dark, and the language.
import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { chooseTheme, chosenTheme, type Theme } from '../../../design/theme.ts';
import { changeLanguage } from '../../../words/change-language.ts';
import { type Language, languages } from '../../../words/languages.ts';
import { attempt } from '../../client/attempt.ts';
import { CallError } from '../../client/remote.ts';
import { onOtherTab } from '../../other-tabs.ts';
import styles from './settings-screen.module.css';

export function AppearancePage() {
  const { t, i18n } = useLingui();
  const [theme, setTheme] = useState(chosenTheme);
  useEffect(() => onOtherTab(() => setTheme(chosenTheme())), []);
  const themes: Record<Theme, string> = { system: t`As the system`, light: t`Light`, dark: t`Dark` };
  return (
    <section>
      <label className={styles.choice}>
        {t`Theme`}
        <select
          value={theme}
          onChange={(event) => {
            const chosen = event.target.value as Theme;
            setTheme(chosen);
            chooseTheme(chosen);
          }}
        >
          {Object.entries(themes).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.choice}>
        {t`Language`}
        <select value={i18n.locale} onChange={(event) => void attempt(() => choose(event.target.value as Language))}>
          {Object.entries(languages).map(([name, label]) => (
            <option key={name} value={name} lang={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </section>
  );
}

/** Changes the language. If its words cannot be loaded, there is no connection. */
const choose = (language: Language): Promise<void> =>
  changeLanguage(language).catch((error: unknown) => {
    throw new CallError({ name: 'NetworkError', message: String(error), fields: {} });
  });
