// How this browser behaves for its user. It is kept here and not in the account, because another device may differ.
import { useSyncExternalStore } from 'react';

const values = {
  /** Where a chat with unread messages opens. */
  opens: ['unread', 'end'],
  /** What the Enter key does while one writes. The other key press is Ctrl and Enter. */
  enter: ['send', 'line'],
} as const;

export type PreferenceName = keyof typeof values;
export type Preference<N extends PreferenceName> = (typeof values)[N][number];

const keyOf = (name: PreferenceName): string => `sealpost-${name}`;
const listeners = new Set<() => void>();

/** Returns what was chosen; the first value if nothing was. */
export function preference<N extends PreferenceName>(name: N): Preference<N> {
  const known: readonly Preference<N>[] = values[name];
  const kept = localStorage.getItem(keyOf(name));
  return known.find((value) => value === kept) ?? values[name][0];
}

export function setPreference<N extends PreferenceName>(name: N, value: Preference<N>): void {
  localStorage.setItem(keyOf(name), value);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

export const usePreference = <N extends PreferenceName>(name: N): Preference<N> =>
  useSyncExternalStore(subscribe, () => preference(name));
