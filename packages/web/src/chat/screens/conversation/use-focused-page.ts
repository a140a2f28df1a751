// Finds out whether the page is visible and has the focus.
import { useSyncExternalStore } from 'react';

/** Returns true if the page is visible and has the focus. Then somebody probably looks at it. */
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
