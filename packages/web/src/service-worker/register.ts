// Registers the service worker of the page, if the browser has them.

/** @param scriptUrl turns an address into the form that the browser takes for scripts */
export async function registerWorker(scriptUrl: (address: string) => string): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  // Without it the page works all the same; it only does not open without a connection.
  await navigator.serviceWorker.register(scriptUrl('/sw.js'), { type: 'module' }).catch(() => undefined);
}
