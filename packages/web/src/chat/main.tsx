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
// Before the engine stores anything.
const nothingStored = missing ? Promise.resolve(false) : isNothingStored();
// The engine starts while the words are loaded.
const client = missing ? undefined : startClient();
loadLogin().catch(() => undefined);
await beginLanguage(chosenLanguage());

createRoot(document.getElementById('app') as HTMLElement).render(
  <I18nProvider i18n={i18n}>
    <App client={client} missing={missing} />
  </I18nProvider>,
);

/** Rejects in older browsers, which do not tell. */
async function isNothingStored(): Promise<boolean> {
  return (await indexedDB.databases()).length === 0;
}

/** Begins to load the login for whoever needs it first. The engine has asked for its own code before. */
async function loadLogin(): Promise<void> {
  if (await nothingStored) await import('./screens/login/login-screen.tsx');
}

// After everything that the first screen needs.
if (client) setTimeout(() => void registerWorker(scriptUrl), 1_000);
