// Asks the browser to keep what this site has stored. Otherwise, a browser may delete all of it when the disk is nearly
// full, and with it the keys.
const ASKED = 'sealpost-asked-to-keep';
/** Milliseconds until the browser is asked again. Some browsers ask the person each time. */
const AGAIN_MS = 7 * 24 * 3600_000;

/**
 * Asks unless the browser has agreed already, or was asked lately.
 * @param anew true to ask in any case, because the browser may answer differently now
 */
export async function keepStorage(anew = false): Promise<void> {
  // Pages without encryption have no `storage`.
  const { storage }: { storage?: StorageManager } = navigator;
  if (!storage || (await storage.persisted())) return;
  const now = Date.now();
  if (!anew && now - Number(localStorage.getItem(ASKED) ?? 0) < AGAIN_MS) return;
  localStorage.setItem(ASKED, String(now));
  await storage.persist();
}

/** Forgets when the browser was asked, because the account leaves it. */
export const forgetAsking = (): void => localStorage.removeItem(ASKED);
