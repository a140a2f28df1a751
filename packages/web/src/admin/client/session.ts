// The administrator's session. The browser keeps it in a cookie that scripts cannot read; the page knows only the state
// of the login.
import { type AdminClient, AdminError, type AdminResult, createAdminClient } from '@sealpost/sdk/admin';
import { create } from 'zustand';

export type LoginState = AdminResult<'showLogin'>;

interface SessionState {
  /** The state of the login; undefined until the server has sent it. */
  readonly login: LoginState | undefined;
  /** True if the server ended the session, and the person must log in again. */
  readonly ended: boolean;
  readonly failure: unknown;
}

export const useSession = create<SessionState>(() => ({ login: undefined, ended: false, failure: undefined }));

const client = createAdminClient({ url: location.origin });

/** Returns the client, which calls with the session of the user. */
export const adminClient = (): AdminClient => client;

export const setLogin = (login: LoginState): void => useSession.setState({ login, ended: false, failure: undefined });

/** Asks the server for the state of the login. */
export async function refreshLogin(ended = false): Promise<void> {
  try {
    useSession.setState({ login: await client.showLogin(), ended, failure: undefined });
  } catch (failure) {
    useSession.setState({ failure });
  }
}

export async function logOut(): Promise<void> {
  try {
    await client.logOut();
  } finally {
    await refreshLogin();
  }
}

/**
 * Returns true for the error of a call without a valid session, or of a wrong password. A proxy that asks for a password
 * of its own also answers with this status, but knows nothing of the session.
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof AdminError && error.status === 401 && !error.isForeign;

/** Shows the login if an error says that the session has ended. Returns true if the login is shown. */
export async function noteEnd(error: unknown): Promise<boolean> {
  if (!isRefused(error)) return false;
  await refreshLogin(true);
  return useSession.getState().login?.state !== 'full';
}
