// Remembers which dialog is open over the page. Any part of the page can open one. The dialog stays open even if that
// part goes away, such as a menu that closes.
import type { StoredMessage } from '@sealpost/sdk';
import { createStore, useStore } from 'zustand';
import type { SealState } from '../client/engine-keys.ts';

export interface Question {
  readonly kind: 'ask';
  readonly title: string;
  readonly text: string;
  /** The text of the button that confirms. */
  readonly action: string;
  readonly onAnswer: (yes: boolean) => void;
}

export type AccountChange = 'password' | 'userid' | 'email' | 'phone' | 'delete';

export type Overlay =
  | Question
  | { readonly kind: 'new-chat' | 'own-card' | 'palette' | 'key-sheet' }
  | { readonly kind: 'add-people'; readonly chatMid: string }
  /** Whether a chat is sealed. `state` is what is known of it when the dialog is opened. */
  | { readonly kind: 'seal'; readonly chatMid: string; readonly state: SealState }
  | { readonly kind: 'picture' | 'safety'; readonly mid: string }
  /** A report of a user, of the messages of a group or room, or of chosen messages. */
  | { readonly kind: 'report'; readonly mid: string; readonly messages?: readonly StoredMessage[] }
  | { readonly kind: 'forward'; readonly messages: readonly StoredMessage[] }
  | { readonly kind: 'info'; readonly chatMid: string; readonly messageId: string }
  /** A change of the user's own account, which asks for the password. */
  | { readonly kind: 'account'; readonly change: AccountChange }
  /** The keys of the account: get missing ones, put them into a backup, or restore them from the backup. */
  | { readonly kind: 'keys' | 'backup' | 'restore' };

const store = createStore<{ readonly overlay: Overlay | undefined }>(() => ({ overlay: undefined }));

function show(next: Overlay | undefined): void {
  const { overlay } = store.getState();
  if (overlay?.kind === 'ask' && next !== overlay) overlay.onAnswer(false);
  store.setState({ overlay: next });
}

export const openOverlay = (overlay: Overlay): void => show(overlay);
export const closeOverlay = (): void => show(undefined);

/** Asks for confirmation before something that cannot be undone. Resolves to true if the user confirms. */
export function ask(question: Omit<Question, 'kind' | 'onAnswer'>): Promise<boolean> {
  return new Promise((resolve) => show({ ...question, kind: 'ask', onAnswer: resolve }));
}

export const useOverlay = (): Overlay | undefined => useStore(store, ({ overlay }) => overlay);
