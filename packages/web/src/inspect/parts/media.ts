// Hooks for facts that the browser knows about the window and the user's preferences.
import { useSyncExternalStore } from 'react';

/** Returns a hook that returns whether a media query matches. */
function mediaHook(query: string): () => boolean {
  const media = matchMedia(query);
  const subscribe = (changed: () => void): (() => void) => {
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  };
  return () => useSyncExternalStore(subscribe, () => media.matches);
}

/** Returns whether the window is as narrow as a phone. */
export const useNarrow = mediaHook('(max-width: 700px)');
/** Returns whether the system prefers dark colours. */
export const useDarkSystem = mediaHook('(prefers-color-scheme: dark)');
