// The dialog about keys and trust that is open. Any row of any screen may ask for one; the guard shows it.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export type Overlay =
  | { readonly kind: 'keys' | 'backup' | 'restore' }
  | { readonly kind: 'safety'; readonly mid: string }
  | { readonly kind: 'seal'; readonly chatMid: string };

const store = createStore<{ readonly overlay: Overlay | undefined }>()(() => ({ overlay: undefined }));

export const showOverlay = (overlay: Overlay): void => store.setState({ overlay });
export const closeOverlay = (): void => store.setState({ overlay: undefined });
export const useOverlay = (): Overlay | undefined => useStore(store, ({ overlay }) => overlay);
