// A watch sees every call of the protocol from start to end, and may change what happens to it. The servers of tests and
// development have one; a server in production has none.
import type { Caller } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { Emitted } from './strict-contract.ts';

/** One call as its watch follows it. */
export interface WatchedCall {
  /**
   * Runs the steps of the call. The watch may wait before, run the steps twice, or not run them. Steps that get another
   * exchange than that of the call write their answer there.
   */
  run(steps: (exchange: Exchange) => Promise<void>): Promise<void>;
  /** Returns the body of the request. `read` reads it from the connection, which is possible once. */
  body(read: () => Promise<Buffer>): Promise<Buffer>;
  /** Called with the caller once the request is authenticated. */
  caller(caller: Caller): void;
  /** Called for each operation that the call appended, after its commit. The call ends after the returned promise. */
  appended(operation: Emitted): Promise<void>;
}

export interface CallWatch {
  /** @param endpoint undefined if no endpoint serves the path */
  begin(exchange: Exchange, endpoint: Endpoint | undefined): WatchedCall;
}
