// Registers the service worker of the page, if the browser supports service workers.

/** @param scriptUrl turns the address of a script into a trusted one, for browsers that demand Trusted Types */
export async function registerWorker(scriptUrl: (address: string) => string): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  // Without a service worker, the page still works, but it cannot open without a connection or show notifications.
  await navigator.serviceWorker.register(scriptUrl('/sw.js'), { type: 'module' }).catch(() => undefined);
}
