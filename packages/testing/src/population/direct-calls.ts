// A client that calls the methods of a server in its own process, without a connection. A history has tens of thousands
// of calls, and HTTP would take most of the time.
import { ApiError, type MethodName, type ServiceName, servicePaths } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';
import type { RunningServer } from '@sealpost/server';

type Handlers = RunningServer['slices']['handlers'];
type HandlerCall = Parameters<Handlers['TalkService.sendMessage']>[0];
type Caller = HandlerCall['caller'];
type AnyHandler = (call: HandlerCall, ...args: readonly unknown[]) => unknown;
type AnyMethod = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Returns a client whose method calls go directly to the server's handlers. The handlers apply all rules except
 * signatures, tokens and rate limits. A refused call is sent again over the network, so that the SDK makes its usual
 * error from the answer. Uploads, and calls that the client makes by itself, always go over the network.
 */
export function withDirectCalls(rpc: RpcClient, handlers: Handlers, caller: () => Caller): RpcClient {
  const byName = handlers as Readonly<Record<string, AnyHandler | undefined>>;
  const callOr = async (name: MethodName, args: readonly unknown[], otherwise: () => Promise<unknown>) => {
    const handler = byName[name];
    if (!handler) return otherwise();
    try {
      return sentOver(await handler(callOf(name, args, caller()), ...args));
    } catch (error) {
      if (error instanceof ApiError) return otherwise();
      throw error;
    }
  };
  const serviceOf = (service: ServiceName) =>
    new Proxy(rpc[service], {
      get: (usual, method) =>
        typeof method === 'symbol'
          ? undefined
          : (...args: readonly unknown[]) =>
              callOr(
                `${service}.${method}` as MethodName,
                args,
                () => (usual as Readonly<Record<string, AnyMethod>>)[method]?.(...args) ?? Promise.resolve(),
              ),
    });
  const services = (Object.keys(servicePaths) as ServiceName[]).map((name) => [name, { value: serviceOf(name) }]);
  const send: RpcClient['send'] = async (message, { reqSeq = rpc.nextReqSeq() } = {}) => {
    const sent = await callOr('TalkService.sendMessage', [reqSeq, message], () => rpc.send(message, { reqSeq }));
    return sent as Awaited<ReturnType<RpcClient['send']>>;
  };
  // The returned client inherits from `rpc` and is not a copy, because the session of `rpc` changes with each login.
  return Object.create(rpc, { ...Object.fromEntries(services), send: { value: send } }) as RpcClient;
}

const callOf = (method: MethodName, args: readonly unknown[], caller: Caller): HandlerCall => ({
  method,
  args,
  caller,
  remoteAddress: '127.0.0.1',
  chromeClient: false,
  header: () => undefined,
  signal: new AbortController().signal,
  setCookie: () => {},
});

/**
 * Returns a result as a client would receive it. Some handlers return an object whose field `json` has the result as
 * JSON text.
 */
const sentOver = (result: unknown): unknown =>
  JSON.parse(
    typeof result === 'object' && result !== null && 'json' in result && typeof result.json === 'string'
      ? result.json
      : JSON.stringify(result ?? null),
  );
