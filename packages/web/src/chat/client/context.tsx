// Gives all components access to the engine, and to the page's copy of the engine's state. Both objects stay the same
// as long as the page is open.
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

/** Returns a part of the page's state. The component renders again when that part becomes a different value. */
export const useMirror = <T,>(select: (state: MirrorState) => T): T => useStore(useClient().mirror.store, select);

/**
 * Like `useMirror`, for a `select` that creates a new array or object at each call. Its values are compared one by one.
 */
export const useMirrorShallow = <T,>(select: (state: MirrorState) => T): T =>
  useStore(useClient().mirror.store, useShallow(select));

/** Returns the verbs of the engine: functions that the page calls and the engine runs. */
export const useRemote = (): Remote => useClient().remote;

export const useMirrorActions = (): Mirror => useClient().mirror;
