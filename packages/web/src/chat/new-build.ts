// A tab that is older than the server's files: parts that are loaded later are not there any more.

const RELOADED = 'sealpost-reloaded';
/** A second failure within this time is another problem, which loading again does not solve. */
const AGAIN_MS = 60_000;

/** How many parts are loaded ahead now. */
let ahead = 0;

/** Loads a part that nobody waits for. Returns whether it is there. */
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

/** Loads the page again when a part of it is missing on the server. Drafts and the outbox are stored, so nothing is lost. */
export function reloadOnMissingParts(): void {
  addEventListener('vite:preloadError', () => {
    if (ahead === 0) void reloadOnce().catch(() => undefined);
  });
}

async function reloadOnce(): Promise<void> {
  const before = Number(sessionStorage.getItem(RELOADED) ?? 0);
  // Without a connection the part is not missing, and the page might not come back.
  if (Date.now() - before < AGAIN_MS || !(await fetch('/', { cache: 'no-store' })).ok) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}
