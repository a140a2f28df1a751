// Registers the service worker of the page, if the browser supports service workers.

/**
 * Without a service worker, the page still works, but it cannot open without a connection or show notifications.
 * @param scriptUrl turns the address of a script into a trusted one, for browsers that demand Trusted Types
 * @throws Error if the browser refuses the service worker
 */
export const registerWorker = (scriptUrl: (address: string) => string): Promise<unknown> | undefined =>
  navigator.serviceWorker?.register(scriptUrl('/sw.js'), { type: 'module' });
