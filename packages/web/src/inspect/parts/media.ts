// What the browser says of the window and of the person's wishes.
import { useSyncExternalStore } from 'react';

/** Returns a hook that tells whether a media query fits. */
function mediaHook(query: string): () => boolean {
  const media = matchMedia(query);
  const subscribe = (changed: () => void): (() => void) => {
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  };
  return () => useSyncExternalStore(subscribe, () => media.matches);
}

/** Tells whether the window is as narrow as a phone. */
export const useNarrow = mediaHook('(max-width: 700px)');
/** Tells whether the system wants dark colours. */
export const useDarkSystem = mediaHook('(prefers-color-scheme: dark)');
