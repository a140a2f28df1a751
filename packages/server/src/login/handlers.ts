import { ApiError, loginTypes } from '@sealpost/contract';
import type { Accounts, Passwords } from '../accounts/index.ts';
import type { Clock, Random } from '../kernel/ports.ts';
import type { Handlers } from '../rpc/call.ts';
import { type Certificates, clearLctCookie, lctCookie, type ServerSecret, type Sessions } from '../sessions/index.ts';
import type { Reader, Store } from '../store/store.ts';
import { createCredentialLogin, type LoginConfirmation } from './credential-login.ts';
import { createEncryptedIdentity } from './encrypted-identity.ts';
import { createFailures } from './failures.ts';
import { createKeyPool } from './key-pool.ts';

export interface LoginDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly secret: ServerSecret;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly certificates: Certificates;
  readonly passwords: Passwords;
  readonly confirmation: LoginConfirmation;
  /** Whether browsers reach the server over https. */
  readonly secureCookies: boolean;
  /** Whether an account has registered keys; without this none has. */
  readonly hasKeys?: (reader: Reader, accountId: number) => Promise<boolean>;
}

/** Between the cells of an object-storage token's text. */
const RECORD_SEPARATOR = '\x1e';

export function loginHandlers(deps: LoginDeps): Handlers {
  const { clock, random, sessions, secret } = deps;
  const cookies = { secure: deps.secureCookies };
  const keyPool = createKeyPool(clock, random);
  const failures = createFailures(clock);
  const hasKeys = deps.hasKeys ?? (async () => false);
  const logIn = createCredentialLogin({ ...deps, keyPool, failures, hasKeys });
  const identityOf = createEncryptedIdentity(secret);

  return {
    'TalkService.getRSAKeyInfo': () => keyPool.take(),
    'AuthService.loginV2': async (call, request) => {
      if (request.type === loginTypes.QRCODE) {
        throw new ApiError(
          'NOT_AVAILABLE_API',
          'type 1: finishing a login that another device confirmed is not available yet',
        );
      }
      const result = await logIn(request, call.remoteAddress);
      const tokens = result.tokenV3IssueResult;
      if (tokens) call.setCookie(lctCookie(tokens.accessToken, sessions.accessTokenSec, cookies));
      return result;
    },
    'AuthService.logoutV2': async (call) => {
      await sessions.revoke([call.caller.sessionId], 'logged out');
      call.setCookie(clearLctCookie(cookies));
      return null;
    },
    'TalkService.getEncryptedIdentityV3': (call) => identityOf(call.caller.accountId),
    'TalkService.acquireEncryptedAccessToken': (call) => {
      const { token, lifeSec } = sessions.objectToken(call.caller);
      return `${lifeSec}${RECORD_SEPARATOR}${token}`;
    },
  };
}
