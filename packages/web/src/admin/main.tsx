// The entry of the administration pages.
import '../design/tokens.css';
import '../design/base.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createRoot } from 'react-dom/client';
import { applyTheme } from '../design/theme.ts';
import { chosenLanguage } from '../words/languages.ts';
import { App } from './app.tsx';
import { refreshLogin } from './client/session.ts';
import { takeSetupToken } from './login/setup-token.ts';
import { beginLanguage } from './words.ts';

takeSetupToken();
applyTheme();
await Promise.all([beginLanguage(chosenLanguage()), refreshLogin()]);

const place = document.getElementById('app');
if (place)
  createRoot(place).render(
    <I18nProvider i18n={i18n}>
      <App />
    </I18nProvider>,
  );
