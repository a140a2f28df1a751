// Login and logout: how a client gets a session and ends it.
import { loaded } from '../deferred.ts';
import type { Gateway } from '../gateway/calls.ts';
import type { ClientPorts } from '../gateway/ports.ts';
import type { Session } from '../gateway/session.ts';
import type { KeyStore } from '../key-store/key-store.ts';
import type { CompletedLogin, Credential } from './login.ts';
import type { QrLoginOptions, QrLoginStep } from './qr-login.ts';

export interface EntryDeps {
  readonly gateway: Gateway;
  readonly ports: ClientPorts;
  readonly keyStore: KeyStore;
  /** True if a login by password asks for the account's key pairs. */
  readonly wantsKeys: boolean;
  /** Returns a signal that also aborts when the client closes. */
  readonly untilClosed: (signal?: AbortSignal) => AbortSignal;
  /** Called after each login. */
  readonly entered: () => void;
}

export interface Entry {
  login(credential: Credential): Promise<Session>;
  loginByQr(options?: QrLoginOptions): AsyncGenerator<QrLoginStep, void, undefined>;
  logout(): Promise<void>;
}

export function createEntry(deps: EntryDeps): Entry {
  const { gateway, ports, keyStore, untilClosed } = deps;
  const { session } = gateway;

  /**
   * Stores the keys before the session. If storing the keys fails, no session is stored, because a client with a stored
   * session would never ask for the keys again.
   */
  async function begin({ session: begun, keys }: CompletedLogin): Promise<void> {
    await keyStore.addOwnKeys(begun.mid, keys);
    await session.begin(begun, { save: true });
    deps.entered();
  }

  return {
    async login(credential) {
      const signal = untilClosed(credential.signal);
      const { loginByCredential } = await loaded(import('./login.ts'));
      const loggedIn = await loginByCredential({ gateway, ports, credential, signal }, deps.wantsKeys);
      await begin(loggedIn);
      return loggedIn.session;
    },
    async *loginByQr(options = {}) {
      const { qrLogin } = await loaded(import('./qr-login.ts'));
      for await (const step of qrLogin(gateway, ports, { ...options, signal: untilClosed(options.signal) })) {
        if (step.kind === 'done') await begin(step);
        yield step;
      }
    },
    async logout() {
      if (!session.current) return;
      await gateway.call('AuthService.logoutV2').catch((error) => {
        // If the session has ended anyway, a failure of this call does not matter.
        if (session.current) throw error;
      });
      await session.end();
    },
  };
}
