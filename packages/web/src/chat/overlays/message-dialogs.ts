// Which dialog lies over the page. The dialogs themselves are loaded when one is asked for.
import type { StoredMessage } from '@sealpost/sdk';
import { createStore, useStore } from 'zustand';

export type Asked =
  | { readonly kind: 'forward' | 'report'; readonly messages: readonly StoredMessage[] }
  | { readonly kind: 'info'; readonly chatMid: string; readonly messageId: string }
  | { readonly kind: 'palette' | 'keys' };

const store = createStore<{ readonly asked: Asked | undefined }>(() => ({ asked: undefined }));

const ask = (asked: Asked): void => store.setState({ asked });

export const askForward = (messages: readonly StoredMessage[]): void => ask({ kind: 'forward', messages });
export const askReport = (messages: readonly StoredMessage[]): void => ask({ kind: 'report', messages });
export const askInfo = (chatMid: string, messageId: string): void => ask({ kind: 'info', chatMid, messageId });
export const askPalette = (): void => ask({ kind: 'palette' });
export const askKeys = (): void => ask({ kind: 'keys' });
export const closeAsked = (): void => store.setState({ asked: undefined });
export const useAsked = (): Asked | undefined => useStore(store, ({ asked }) => asked);
