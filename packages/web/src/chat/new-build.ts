// Helps a tab that is older than the files on the server. Parts that it would load later are not on the server any
// more, so the page is loaded again.

const RELOADED = 'sealpost-reloaded';
/** A second failure within this time has another cause, and loading the page again would not help. */
const AGAIN_MS = 60_000;

/** The number of parts that are being loaded ahead at the moment. */
let ahead = 0;

/** Loads a part before it is needed. Returns true if it was loaded. A failure does not load the page again. */
export async function loadAhead(load: () => Promise<unknown>): Promise<boolean> {
  ahead += 1;
  try {
    await load();
    return true;
  } catch {
    return false;
  } finally {
    ahead -= 1;
  }
}

/**
 * Loads the page again when a part of it is missing on the server. Drafts and the outbox are stored, so nothing is
 * lost.
 */
export function reloadOnMissingParts(): void {
  addEventListener('vite:preloadError', () => {
    if (ahead === 0) void reloadOnce().catch(() => undefined);
  });
}

async function reloadOnce(): Promise<void> {
  const before = Number(sessionStorage.getItem(RELOADED) ?? 0);
  // Without a connection, the part is perhaps not missing on the server, and the page might not load again.
  if (Date.now() - before < AGAIN_MS || !(await fetch('/', { cache: 'no-store' })).ok) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}
