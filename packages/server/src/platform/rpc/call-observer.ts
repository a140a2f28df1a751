// An observer measures every call of the protocol. It changes nothing about the call.
import type { Caller } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';

/** One call as its observer follows it. */
export interface ObservedCall {
  /** The id that all errors of this call get; undefined if each error gets a new id. */
  readonly requestId: string | undefined;
  /** OK, the name of the error, or that the client left. */
  readonly outcome: string;
  /** Called with the caller once the request is authenticated. */
  caller(caller: Caller): void;
  /** Called with the body of the request once it is read. */
  received(body: Buffer): void;
  /** Called with the error that the client gets, and the id of the refusal. */
  refused(code: string, status: number, requestId: string): void;
  /** Called if the client left before its request was complete. */
  left(): void;
  /** Called once the call is answered. */
  ended(): void;
}

export interface CallObserver {
  /** @param endpoint undefined if no endpoint serves the path */
  begin(exchange: Exchange, endpoint: Endpoint | undefined): ObservedCall;
  /** Runs the steps of a call, so that their work is known to belong to it. */
  run(call: ObservedCall, steps: () => Promise<void>): Promise<void>;
}
