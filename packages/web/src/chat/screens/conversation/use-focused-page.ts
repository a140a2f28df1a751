// Whether the page is in front, and has the focus of the window.
import { useSyncExternalStore } from 'react';

/** Returns whether somebody looks at the page now, as far as the browser knows. */
export const isInFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

function subscribe(look: () => void): () => void {
  for (const name of ['focus', 'blur']) addEventListener(name, look);
  document.addEventListener('visibilitychange', look);
  return () => {
    for (const name of ['focus', 'blur']) removeEventListener(name, look);
    document.removeEventListener('visibilitychange', look);
  };
}

export const useFocusedPage = (): boolean => useSyncExternalStore(subscribe, isInFront);
