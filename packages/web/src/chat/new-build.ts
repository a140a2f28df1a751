// A tab that is older than the server's files: parts that are loaded later are not there any more.

const RELOADED = 'sealpost-reloaded';
/** A second failure within this time is another problem, which loading again does not solve. */
const AGAIN_MS = 60_000;

/** Loads the page again when a part of it is missing on the server. Drafts and the outbox are stored, so nothing is lost. */
export function reloadOnMissingParts(): void {
  addEventListener('vite:preloadError', (event) => {
    const before = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - before < AGAIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
  });
}
