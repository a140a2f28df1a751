// Dialogs that any part of the page opens: there is one place for them, so that a menu can close and its dialog stays.
import { useSyncExternalStore } from 'react';

export interface Question {
  readonly kind: 'ask';
  readonly title: string;
  readonly text: string;
  /** The text of the button that does it. */
  readonly action: string;
  readonly onAnswer: (yes: boolean) => void;
}

export type Overlay =
  | Question
  | { readonly kind: 'new-chat' }
  | { readonly kind: 'add-people'; readonly chatMid: string }
  | { readonly kind: 'own-card' }
  /** A report of a user, or of the messages of a group or room. */
  | { readonly kind: 'report'; readonly mid: string }
  | { readonly kind: 'picture'; readonly mid: string };

let current: Overlay | undefined;
const listeners = new Set<() => void>();

function show(next: Overlay | undefined): void {
  if (current?.kind === 'ask' && next !== current) current.onAnswer(false);
  current = next;
  for (const listener of listeners) listener();
}

export const openOverlay = (overlay: Overlay): void => show(overlay);
export const closeOverlay = (): void => show(undefined);

/** Asks once before something that cannot be undone. Resolves to whether the user wants it. */
export function ask(question: Omit<Question, 'kind' | 'onAnswer'>): Promise<boolean> {
  return new Promise((resolve) => show({ ...question, kind: 'ask', onAnswer: resolve }));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useOverlay = (): Overlay | undefined => useSyncExternalStore(subscribe, () => current);
