// Starts the worker of this tab, and connects the page to the engine. The engine may run in the worker of another tab.

import type { ChatClient } from './context.tsx';
import engineUrl from './engine-worker.ts?worker&url';
import { createMirror } from './mirror.ts';
import { connectEngine } from './remote.ts';

/** The page's only Trusted Types policy. It accepts addresses of scripts from the page's own origin. */
const policy = globalThis.trustedTypes?.createPolicy('sealpost-worker', {
  createScriptURL(address) {
    if (new URL(address, location.href).origin !== location.origin)
      throw new TypeError(`${address} is not of this site`);
    return address;
  },
});

/** Returns the address of a script of this site. If the browser has Trusted Types, the address is a trusted one. */
export const scriptUrl = (address: string): string => (policy?.createScriptURL(address) ?? address) as string;

/** Returns the name of a feature that the page needs and this browser lacks; undefined if nothing is missing. */
export function missingFeature(): 'secure-context' | 'locks' | undefined {
  if (!globalThis.isSecureContext) return 'secure-context';
  return 'locks' in navigator && 'BroadcastChannel' in globalThis ? undefined : 'locks';
}

/**
 * Starts the worker of this tab. Some browsers keep a page that one left, for the way back. Its worker would keep the lock
 * of the engine, and no other page could run one.
 */
function runWorker(): void {
  const worker = new Worker(scriptUrl(engineUrl), { type: 'module', name: 'sealpost engine' });
  const leave = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    worker.terminate();
    addEventListener('pageshow', runWorker, { once: true });
  };
  addEventListener('pagehide', leave, { once: true });
}

export function startClient(): ChatClient {
  runWorker();
  const line = connectEngine(crypto.randomUUID());
  const nextFrame = (run: () => void): void => {
    // A hidden page gets no animation frames.
    if (document.visibilityState === 'visible') requestAnimationFrame(run);
    else setTimeout(run, 50);
  };
  const build = new URL(engineUrl, location.href).href;
  const mirror = createMirror({ line, build, nextFrame });
  return { remote: line.remote, mirror };
}
