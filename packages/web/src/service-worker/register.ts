// Registers the service worker of the page, if the browser supports service workers.

let failure: string | undefined;

/** Returns what the browser said when it refused the service worker; undefined if it did not refuse. */
export const workerFailure = (): string | undefined => failure;

/** @param scriptUrl turns the address of a script into a trusted one, for browsers that demand Trusted Types */
export async function registerWorker(scriptUrl: (address: string) => string): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  failure = undefined;
  try {
    await navigator.serviceWorker.register(scriptUrl('/sw.js'), { type: 'module' });
  } catch (error) {
    // Without a service worker the page still works. It only cannot open without a connection, or show notifications.
    failure = error instanceof Error ? error.message : String(error);
  }
}
