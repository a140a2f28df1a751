// Calls the contract's methods. Types come from the contract, paths from the service table. If the access token has
// expired, it is renewed and the call is repeated.
import {
  httpPaths,
  type MethodArgs,
  type MethodName,
  type MethodResult,
  pathOf,
  type ServiceName,
  servicePaths,
  type TokenV3IssueResult,
} from '@sealpost/contract';
import { GatewayError } from './errors.ts';
import type { ClientPorts } from './ports.ts';
import { SessionKeeper, type SessionStorage } from './session.ts';
import { createTransport, type Exchange, readEnvelope, type Transport, type TransportOptions } from './transport.ts';

type ServiceMethods<S extends ServiceName> = {
  readonly [N in MethodName as N extends `${S}.${infer Name}` ? Name : never]: (
    ...args: MethodArgs<N>
  ) => Promise<MethodResult<N>>;
};
/** Every method of the contract, called as `services.<Service>.<method>(...arguments)`. */
export type Services = { readonly [S in ServiceName]: ServiceMethods<S> };

/** The headers, the timeout and the abort signal that a call may add to an exchange. */
export type ExchangeExtras = Pick<Exchange, 'headers' | 'timeoutMs' | 'signal'>;

/** The gateway, as the other parts of the SDK use it. */
export interface Gateway {
  readonly url: string;
  readonly brand: string;
  readonly session: SessionKeeper;
  /** Calls a method with the session's token, and renews expired tokens. */
  call<N extends MethodName>(method: N, ...args: MethodArgs<N>): Promise<MethodResult<N>>;
  /** Calls a method without a session. */
  anonymous<N extends MethodName>(method: N, ...args: MethodArgs<N>): Promise<MethodResult<N>>;
  /** Calls a method without a session, with additional headers and another timeout, for long polls. */
  poll<N extends MethodName>(rest: ExchangeExtras, method: N, ...args: MethodArgs<N>): Promise<MethodResult<N>>;
  /** Sends a GET without a session, and returns the result in the envelope of the answer. */
  get(what: string, path: string, rest?: ExchangeExtras): Promise<unknown>;
  /** Makes one exchange with the session's token. The caller reads the body of the answer. */
  open(exchange: Omit<Exchange, 'accessToken'>): Promise<Response>;
}

export function createGateway(options: TransportOptions, ports: ClientPorts, storage?: SessionStorage): Gateway {
  const transport = createTransport(options, ports);
  const session = new SessionKeeper(refresh, ports, storage);

  /** Makes one exchange, and returns the result in the envelope of the answer. */
  async function request<T>(exchange: Exchange, send: Transport = transport): Promise<T> {
    return (await readEnvelope(exchange.what, options.url, await send(exchange), ports)) as T;
  }

  async function refresh({ accessToken, refreshToken }: TokenV3IssueResult): Promise<Partial<TokenV3IssueResult>> {
    const what = 'tokenRefresh';
    const body = JSON.stringify({ refreshToken });
    const exchange: Exchange = { what, method: 'POST', path: httpPaths.tokenRefresh, body, accessToken };
    const issued = await request<Partial<TokenV3IssueResult> | null>(exchange);
    if (!issued?.accessToken) throw new GatewayError(what, 200, { message: 'the answer has no accessToken' });
    return issued;
  }

  async function open(exchange: Omit<Exchange, 'accessToken'>, isReplay?: boolean): Promise<Response> {
    const signed = await session.tokens();
    const accessToken = signed?.accessToken;
    try {
      return await transport({ ...exchange, accessToken });
    } catch (error) {
      if (!(error instanceof GatewayError && (error.endsSession || error.needsRenewal))) throw error;
      // If the server refuses even a token that was just renewed, the session has ended.
      if (isReplay || error.endsSession) await session.refused(error, accessToken);
      else await session.renew(accessToken);
      const now = session.current?.tokens;
      // Another login does not repeat the call: it may be of another account, and does not know the reqSeq.
      if (isReplay || now?.loginSessionId !== signed?.loginSessionId || now?.accessToken === accessToken) throw error;
      return open(exchange, true);
    }
  }

  const post = (method: MethodName, args: readonly unknown[]): Exchange => ({
    what: method,
    method: 'POST',
    path: pathOf(method),
    body: JSON.stringify(withoutMissingTail(args)),
  });

  return {
    url: options.url,
    brand: options.brand,
    session,
    open,
    call: async (method, ...args) => request(post(method, args), open),
    anonymous: async (method, ...args) => request(post(method, args)),
    poll: async (rest, method, ...args) => request({ ...post(method, args), ...rest }),
    get: (what, path, rest) => request({ what, method: 'GET', path, ...rest }),
  };
}

/**
 * Makes `client.TalkService.sendMessage(…)` possible without a list of methods at run time: the name gives the path.
 */
export function createServices(gateway: Gateway): Services {
  const serviceNames = Object.keys(servicePaths) as ServiceName[];
  const service = (name: ServiceName) =>
    new Proxy(
      {},
      {
        // `await` treats an object with a `then` method as a promise, so the proxy must not have such a method.
        get: (_, method) =>
          typeof method === 'symbol' || method === 'then'
            ? undefined
            : (...args: unknown[]) =>
                gateway.call(`${name}.${method}` as MethodName, ...(args as MethodArgs<MethodName>)),
      },
    );
  return Object.fromEntries(serviceNames.map((name) => [name, service(name)])) as Services;
}

function withoutMissingTail(args: readonly unknown[]): readonly unknown[] {
  const last = args.findLastIndex((argument) => argument !== undefined);
  return args.slice(0, last + 1);
}
