// The current place in the page, kept in its address: `#/calls/12`. So reloading the page shows the same place, and the
// address can be sent to others.
import { useSyncExternalStore } from 'react';

export const screens = ['calls', 'operations', 'server', 'lab'] as const;
export type ScreenName = (typeof screens)[number];

export interface Place {
  readonly screen: ScreenName;
  /** The id of the chosen item, such as a call. */
  readonly chosen: string | undefined;
}

const listeners = new Set<() => void>();

const subscribe = (changed: () => void): (() => void) => {
  window.addEventListener('hashchange', changed);
  listeners.add(changed);
  return () => {
    window.removeEventListener('hashchange', changed);
    listeners.delete(changed);
  };
};

const placeIn = (hash: string): Place => {
  const [name, chosen] = hash.replace(/^#\//, '').split('/').map(decodeURIComponent);
  const screen = screens.find((one) => one === name) ?? 'calls';
  return { screen, chosen: chosen === '' ? undefined : chosen };
};

export const usePlace = (): Place => placeIn(useSyncExternalStore(subscribe, () => location.hash));

export const placeAt = (screen: ScreenName, chosen?: string): string =>
  `#/${screen}${chosen === undefined ? '' : `/${encodeURIComponent(chosen)}`}`;

/**
 * Goes to a place. Choosing another item replaces the newest entry of the browser's history, so the browser's button
 * "back" leaves the item at once.
 */
export function goTo(screen: ScreenName, chosen?: string): void {
  const before = placeIn(location.hash);
  const isNext = before.screen === screen && before.chosen !== undefined && chosen !== undefined;
  history[isNext ? 'replaceState' : 'pushState'](null, '', placeAt(screen, chosen));
  for (const listener of listeners) listener();
}
