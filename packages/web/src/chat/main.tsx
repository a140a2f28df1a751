// The main script of the messenger. The page starts with it.
import '../design/tokens.css';
import '../design/base.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { createRoot } from 'react-dom/client';
import { applyTheme } from '../design/theme.ts';
import { registerWorker } from '../service-worker/register.ts';
import { beginLanguage } from '../words/language.ts';
import { chosenLanguage } from '../words/languages.ts';
import { App } from './app.tsx';
import { missingFeature, scriptUrl, startClient } from './client/start.ts';
import { reloadOnMissingParts } from './new-build.ts';

applyTheme();
reloadOnMissingParts();
const missing = missingFeature();
// This is checked before the engine stores anything.
const nothingStored = missing ? Promise.resolve(false) : isNothingStored();
// The engine starts while the texts are loaded.
const client = missing ? undefined : startClient();
loadLogin().catch(() => undefined);
await beginLanguage(chosenLanguage());

createRoot(document.getElementById('app') as HTMLElement).render(
  <I18nProvider i18n={i18n}>
    <App client={client} missing={missing} />
  </I18nProvider>,
);

/**
 * Returns true if this site has no database in the browser yet. Rejects in older browsers, which do not list databases.
 */
async function isNothingStored(): Promise<boolean> {
  return (await indexedDB.databases()).length === 0;
}

/**
 * Loads the login screen early if nothing is stored, because then it is shown first. The engine's code is requested
 * before it.
 */
async function loadLogin(): Promise<void> {
  if (await nothingStored) await import('./screens/login/login-screen.tsx');
}

// The service worker is registered later, so that it does not slow down the first screen.
if (client) setTimeout(() => registerWorker(scriptUrl)?.catch(() => {}), 1_000);
