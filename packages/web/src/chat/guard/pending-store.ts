// The logins that wait for a confirmation. A dialog asks about each of them. If the person closes the dialog without a
// decision, the login stays in the list of devices.
import type { PendingLogin } from '@sealpost/contract';
import { createStore, useStore } from 'zustand';

interface PendingState {
  readonly pending: readonly PendingLogin[];
  /** The ids of logins whose dialogs the person has closed. */
  readonly aside: readonly string[];
}

const store = createStore<PendingState>(() => ({ pending: [], aside: [] }));

export const setPending = (pending: readonly PendingLogin[]): void =>
  store.setState(({ aside }) => ({
    pending,
    aside: aside.filter((id) => pending.some(({ loginId }) => loginId === id)),
  }));

/** Closes the dialog of a login, without a decision. */
export const putAside = (id: string): void => store.setState(({ aside }) => ({ aside: [...aside, id] }));

/** Shows the dialog of a login again. */
export const takeUp = (id: string): void =>
  store.setState(({ aside }) => ({ aside: aside.filter((other) => other !== id) }));

/** Returns the login that the dialog asks about: the oldest whose dialog was not closed. */
export const useAskedLogin = (): PendingLogin | undefined =>
  useStore(store, ({ pending, aside }) => pending.find(({ loginId }) => !aside.includes(loginId)));

/** Returns all waiting logins, oldest first. */
export const useWaitingLogins = (): readonly PendingLogin[] => useStore(store, ({ pending }) => pending);
