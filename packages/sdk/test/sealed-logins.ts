// The login of a running server with accounts that all have registered keys, for the new device's half.
import { ApiError, errors } from '@sealpost/contract';
import { createPasswords } from '../../server/src/accounts/index.ts';
import { systemPorts } from '../../server/src/kernel/system.ts';
import { createLogin } from '../../server/src/login/index.ts';
import type { Call } from '../../server/src/rpc/call.ts';
import { failure, success } from '../../server/src/rpc/envelope.ts';
import type { HttpCall } from '../../server/src/rpc/pipeline.ts';
import { createCertificates, createTellDevices, loadServerSecret } from '../../server/src/sessions/index.ts';
import type { TestServer } from '../../server/test/harness.ts';

type AnyHandler = (call: Call, ...args: unknown[]) => Promise<unknown>;

/** A `fetch` whose credential logins are answered by that login, and everything else by the server itself. */
export async function sealedLogins({ server, url }: TestServer): Promise<typeof fetch> {
  const { random, clock } = systemPorts;
  const { handlers, httpHandlers } = createLogin({
    ...systemPorts,
    store: server.store,
    accounts: server.slices.accounts,
    sessions: server.slices.sessions,
    secret: await loadServerSecret(server.store, random, clock),
    certificates: createCertificates(random, clock),
    passwords: createPasswords(),
    tellDevices: createTellDevices(server.log),
    confirmation: 'new-device',
    secureCookies: false,
    brand: 'Svc',
    url: () => url,
    canSeal: async () => true,
    onError: (error) => {
      throw error;
    },
  });

  async function answer(path: string, init: RequestInit): Promise<string | undefined> {
    const headers = new Headers(init.headers);
    const call = {
      remoteAddress: '127.0.0.1',
      header: (name: string) => headers.get(name) ?? undefined,
      signal: init.signal ?? new AbortController().signal,
      setCookie: () => {},
      chromeClient: false,
    };
    if (path.endsWith('/LF1')) return httpHandlers.longPollLF1?.(call as unknown as HttpCall);
    const method = path.split('/').slice(-2).join('.');
    if (!/^(AuthService\.(loginV2|confirmE2EELogin)|TalkService\.getRSAKeyInfo)$/.test(method)) return undefined;
    const handler = handlers[method as keyof typeof handlers] as unknown as AnyHandler;
    const data = await handler(call as unknown as Call, ...(JSON.parse(String(init.body)) as unknown[]));
    return success(JSON.stringify(data));
  }

  return async (input, init = {}) => {
    try {
      const body = await answer(new URL(String(input)).pathname, init);
      return body === undefined ? await fetch(input, init) : new Response(body);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return new Response(failure(error), { status: errors[error.code].http });
    }
  };
}
