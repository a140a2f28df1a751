// Preferences of the user for this browser. They are stored in the browser and not in the account, because the user may
// prefer something else on another device.
import { useSyncExternalStore } from 'react';

const values = {
  /** The place where a chat with unread messages opens: at the first unread message, or at the end of the chat. */
  opens: ['unread', 'end'],
  /**
   * The action of the Enter key in the field for a message. With `line`, it begins a new line, and Ctrl+Enter sends.
   */
  enter: ['send', 'line'],
} as const;

export type PreferenceName = keyof typeof values;
export type Preference<N extends PreferenceName> = (typeof values)[N][number];

const keyOf = (name: PreferenceName): string => `sealpost-${name}`;
const listeners = new Set<() => void>();

/** Returns the chosen value of a preference, or its first value if none was chosen. */
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
