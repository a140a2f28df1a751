// Hands the engine and the page's copy of its state to all components. Neither ever changes.
import { createContext, type ReactNode, useContext } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Mirror } from './mirror.ts';
import type { MirrorState } from './mirror-state.ts';
import type { Remote } from './remote.ts';

export interface ChatClient {
  readonly mirror: Mirror;
  readonly remote: Remote;
}

const Context = createContext<ChatClient | undefined>(undefined);

export function ClientProvider({ client, children }: { client: ChatClient; children: ReactNode }) {
  return <Context value={client}>{children}</Context>;
}

function useClient(): ChatClient {
  const client = useContext(Context);
  if (!client) throw new Error('a component that uses the client is outside of its provider');
  return client;
}

/** Returns a part of the state. The component renders again when that part is another value. */
export const useMirror = <T,>(select: (state: MirrorState) => T): T => useStore(useClient().mirror.store, select);

/** Like `useMirror`, for a part that is made anew each time: an array or object of values. */
export const useMirrorShallow = <T,>(select: (state: MirrorState) => T): T =>
  useStore(useClient().mirror.store, useShallow(select));

/** Returns the verbs of the engine. */
export const useRemote = (): Remote => useClient().remote;

export const useMirrorActions = (): Mirror => useClient().mirror;
