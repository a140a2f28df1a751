// What the page shows, kept in its address: `#/calls/12`. So a reload shows the same, and it can be passed on.
import { useSyncExternalStore } from 'react';

export const screens = ['calls', 'operations', 'server', 'lab'] as const;
export type ScreenName = (typeof screens)[number];

export interface Place {
  readonly screen: ScreenName;
  /** What is chosen there, such as a call. */
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

/** Goes there at once. The way back leads out of a thing that was chosen, not through all that were chosen before it. */
export function goTo(screen: ScreenName, chosen?: string): void {
  const before = placeIn(location.hash);
  const isNext = before.screen === screen && before.chosen !== undefined && chosen !== undefined;
  history[isNext ? 'replaceState' : 'pushState'](null, '', placeAt(screen, chosen));
  for (const listener of listeners) listener();
}
