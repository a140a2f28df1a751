// The entry of the messenger.
import '../design/tokens.css';
import '../design/base.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createRoot } from 'react-dom/client';
import { applyTheme } from '../design/theme.ts';
import { registerWorker } from '../service-worker/register.ts';
import { chosenLanguage } from '../words/catalogs.ts';
import { beginLanguage } from '../words/language.ts';
import { App } from './app.tsx';
import { missingFeature, scriptUrl, startClient } from './client/start.ts';
import { reloadOnMissingParts } from './new-build.ts';

applyTheme();
reloadOnMissingParts();
const missing = missingFeature();
// Whoever stored nothing here needs the login first. The engine asks for its own code before that.
const stored = missing ? undefined : indexedDB.databases();
// The engine starts while the words are loaded.
const client = missing ? undefined : startClient();
if (stored) loadLogin(stored).catch(() => undefined);
await beginLanguage(chosenLanguage());

createRoot(document.getElementById('app') as HTMLElement).render(
  <I18nProvider i18n={i18n}>
    <App client={client} missing={missing} />
  </I18nProvider>,
);

async function loadLogin(databases: Promise<readonly unknown[]>): Promise<void> {
  if ((await databases).length === 0) await import('./screens/login/login-screen.tsx');
}

// After everything that the first screen needs.
if (client) setTimeout(() => void registerWorker(scriptUrl), 1_000);
