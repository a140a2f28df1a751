// Helps a tab that was opened before the files on the server were updated. The files that the tab would load later no
// longer exist on the server, so the page is reloaded.

const RELOADED = 'sealpost-reloaded';
/** Milliseconds. A second failure within this time has another cause, and reloading the page would not help. */
const AGAIN_MS = 60_000;

/** The number of parts that did not come and were not loaded ahead, or whose loader has not heard of it yet. */
let missing = 0;

/** Loads a part before it is needed. Returns true if it was loaded. If loading fails, the page is not reloaded. */
export async function loadAhead(load: () => Promise<unknown>): Promise<boolean> {
  try {
    await load();
    return true;
  } catch {
    missing -= 1;
    return false;
  }
}

/**
 * Reloads the page if a part of it is missing on the server. Drafts and the outbox are stored. Files in a composer are
 * not, so as long as there are some, the browser asks the person first.
 */
export function reloadOnMissingParts(): void {
  addEventListener('vite:preloadError', () => {
    missing += 1;
    // The event comes before `loadAhead` learns of the error.
    setTimeout(() => {
      if (missing > 0) void reloadOnce().catch(() => undefined);
      missing = 0;
    });
  });
}

async function reloadOnce(): Promise<void> {
  const before = Number(sessionStorage.getItem(RELOADED) ?? 0);
  // Without a connection, the part may still exist on the server, and a reload might fail.
  if (Date.now() - before < AGAIN_MS || !(await fetch('/', { cache: 'no-store' })).ok) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}
