// The current place in the pages, kept in the address: `#/people/u12…`. So reloading the page shows the same place, and
// the address can be sent to others.
import { useSyncExternalStore } from 'react';

export const pages = [
  'home',
  'people',
  'invites',
  'reports',
  'storage',
  'notices',
  'packs',
  'audit',
  'administrators',
  'settings',
] as const;
export type PageName = (typeof pages)[number];

export interface Place {
  readonly page: PageName;
  /** The id of the chosen item, such as an account. */
  readonly chosen: string | undefined;
  /** The filters of the list, by name. */
  readonly filters: Readonly<Record<string, string>>;
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

function decoded(part: string | undefined): string | undefined {
  if (part === undefined || part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    // The address is malformed, for example because somebody mistyped it.
    return undefined;
  }
}

/** Returns the place that the text after the # in an address names. */
export function placeIn(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [name, chosen] = path.split('/');
  const page = pages.find((one) => one === name) ?? 'home';
  return { page, chosen: decoded(chosen), filters: Object.fromEntries(new URLSearchParams(query)) };
}

export const usePlace = (): Place => placeIn(useSyncExternalStore(subscribe, () => location.hash));

/** Returns the address of a place. Empty filters are left out. */
export function placeAt(page: PageName, chosen?: string, filters: Place['filters'] = {}): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString();
  const at = chosen === undefined ? '' : `/${encodeURIComponent(chosen)}`;
  return `#/${page}${at}${query === '' ? '' : `?${query}`}`;
}

/** Goes to a place. If only the filters of a list change, the newest entry of the browser's history is replaced. */
export function goTo(page: PageName, chosen?: string, filters?: Place['filters']): void {
  const before = placeIn(location.hash);
  const isSame = before.page === page && before.chosen === chosen;
  history[isSame ? 'replaceState' : 'pushState'](null, '', placeAt(page, chosen, filters));
  for (const listener of listeners) listener();
}
