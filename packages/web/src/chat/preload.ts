// Loads parts of the page before they are needed, one at a time, while the browser is idle. Otherwise, the first menu
// or dialog would have to wait for the network.
import { loadAhead } from './new-build.ts';

/** The functions that load the parts. The parts that people usually open first come first. */
const parts: readonly (() => Promise<unknown>)[] = [
  () => import('./screens/conversation/conversation-screen.tsx'),
  () => import('../design/menu-popup.tsx'),
  () => import('./screens/conversation/seal-note.tsx'),
  () => import('./people/chat-menu.tsx'),
  () => import('./overlays/new-chat-dialog.tsx'),
  () => import('./screens/contacts/contacts-pane.tsx'),
  () => import('./screens/contacts/contact-screen.tsx'),
  () => import('./screens/settings/settings-pane.tsx'),
  () => import('./screens/settings/settings-screen.tsx'),
  () => import('./screens/conversation/details/details.tsx'),
  () => import('./screens/chats/no-chat.tsx'),
  () => import('./overlays/ask-dialog.tsx'),
  () => import('./overlays/picker.tsx'),
  () => import('./overlays/viewer.tsx'),
  () => import('./overlays/seal-dialog.tsx'),
  () => import('./overlays/safety-dialog.tsx'),
  () => import('./overlays/palette.tsx'),
  () => import('./screens/search/search-pane.tsx'),
  () => import('./screens/contacts/add-screen.tsx'),
  () => import('./overlays/forward-dialog.tsx'),
  () => import('./overlays/info-dialog.tsx'),
  () => import('./overlays/add-people-dialog.tsx'),
  () => import('./overlays/approve-dialog.tsx'),
  () => import('./overlays/backup-dialog.tsx'),
  () => import('./overlays/keys-dialog.tsx'),
  () => import('./overlays/confirm.tsx'),
  () => import('./overlays/report-dialog.tsx'),
  () => import('./overlays/own-card-dialog.tsx'),
  () => import('./overlays/picture-dialog.tsx'),
  () => import('./pictures/crop-dialog.tsx'),
  () => import('./overlays/add-device-dialog.tsx'),
  () => import('./overlays/account-dialog.tsx'),
  () => import('./overlays/key-sheet.tsx'),
  () => import('./screens/conversation/composer/prepare-file.ts'),
  () => import('./screens/conversation/composer/place-dialog.tsx'),
  () => import('./screens/conversation/composer/contact-dialog.tsx'),
  () => import('./screens/conversation/composer/voice-recorder.tsx'),
];

/** Milliseconds after which a part is loaded even if the browser is still busy. */
const PATIENCE_MS = 2_000;
/** Milliseconds between two parts in browsers that do not report when they are idle. */
const PAUSE_MS = 100;

const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: PATIENCE_MS });
    else setTimeout(resolve, PAUSE_MS);
  });

let begun = false;

/** Loads the parts once. Stops at the first failure; the other parts are loaded later when they are opened. */
export async function preloadParts(): Promise<void> {
  if (begun) return;
  begun = true;
  for (const load of parts) {
    await idle();
    if (!(await loadAhead(load))) return;
  }
}
