// The interface of a test server: a running gateway, and everything that a test can do with it.
import type { Operation, OperationTypeName } from '@sealpost/contract';
import type { Clock, Timers } from '@sealpost/contract/ports';
import type {
  CallMatch,
  CallRecord,
  DevAccount,
  DevLogin,
  Fault,
  FaultRule,
  Span,
  Trigger,
  Universe,
} from '@sealpost/contract/workbench';

export interface TestServerOptions {
  /** The seed for ids, tokens, keys and every other random value. The same seed gives the same values. Default: 1. */
  readonly seed?: number;
  /**
   * `virtual`: time stands still until `clock.advance`. `real`: the clock of the machine. Default: `virtual`.
   */
  readonly clock?: 'virtual' | 'real';
  /** The time at which a virtual clock starts, in epoch milliseconds. Default: 2030-01-01T00:00:00Z. */
  readonly startTime?: number;
  /** The user ids of accounts that exist from the start, all contacts of each other. */
  readonly accounts?: readonly string[];
  /** Settings of the server by name, as on its command line. No settings file and no variable is read. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The port; 0 for a free one. Default: 0. */
  readonly port?: number;
}

export interface TestClock {
  /** Returns the server's time in epoch milliseconds. */
  now(): number;
  /**
   * Moves a virtual clock forward, and fires every timer that is due on the way. Before each step, it waits for running
   * calls, and for requests and answers of clients with `ports` that are on their way.
   * @throws Error if the clock is real
   */
  advance(by: Span): Promise<void>;
}

/** Selects calls. A call is selected if it matches every given field. */
export interface CallFilter extends CallMatch {
  /** The value of the header X-Dev-Tag. */
  readonly tag?: string;
  /** Selects only calls with an id greater than this. */
  readonly after?: number;
}

export interface WaitOptions {
  /** Only operations after this revision count. Default: 0. */
  readonly after?: number;
  /** Real milliseconds until the wait fails. Default: 5,000. */
  readonly timeoutMs?: number;
  /** Further conditions on the operation. */
  readonly where?: (operation: Operation) => boolean;
}

/** A gateway inside a test. Wherever a method takes an account, it takes a user id or a mid. */
export interface TestServer {
  /** The address of the server, without a path. */
  readonly url: string;
  readonly seed: number;
  /** The build token with which clients sign requests. `brand` is the brand in header names. */
  readonly buildToken: string;
  readonly brand: string;
  readonly adminToken: string;
  readonly clock: TestClock;
  /**
   * The clock and timers of the server, and a `fetch` that `clock.advance` waits for. Give them to clients of the SDK
   * that must have the same time as the server.
   */
  readonly ports: { readonly clock: Clock; readonly timers: Timers; readonly fetch: typeof fetch };
  readonly accounts: readonly DevAccount[];
  /** Creates an account that is a contact of all others. Its default password is `<userid>-sealpost`. */
  createAccount(userid: string, fields?: { password?: string; displayName?: string }): Promise<DevAccount>;
  /** Opens a session of an account as a login would, but without the password. */
  login(account: string): Promise<DevLogin>;
  /**
   * Adds a fault, which makes calls that match the rule go wrong from now on. Returns the fault with a function that
   * removes it.
   */
  fault(rule: FaultRule): Fault & { remove(): void };
  readonly faults: readonly Fault[];
  clearFaults(): void;
  /** Returns the calls that reached the server, the oldest first, with their requests and answers. */
  requests(filter?: CallFilter): CallRecord[];
  /**
   * Waits for a call that the filter selects, also one that came before. Set `filter.after` to wait for a new call. Calls
   * that have ended, and streams, come first. If there is none, a call that still runs is returned after half a second.
   * @throws Error after the time limit; its message lists the calls that came instead
   */
  waitForRequest(filter: CallFilter, options?: { timeoutMs?: number }): Promise<CallRecord>;
  clearRequests(): void;
  /** Returns the operations of an account's log after a revision. */
  operations(account: string, after?: number): Promise<Operation[]>;
  /**
   * Waits until an account's log has an operation of a type. Returns at once if the log has one already.
   * @throws Error after the time limit; its message lists the operations that came instead
   */
  waitFor(account: string, type: OperationTypeName, options?: WaitOptions): Promise<Operation>;
  /**
   * Triggers an event for an account, such as a cut stream, expired tokens or a message. Returns the number of the
   * account's open streams.
   */
  trigger(trigger: Trigger): Promise<number>;
  /**
   * Saves the state of the server: database, objects, clock and random source. Without `name`, a new name is chosen.
   */
  snapshot(name?: string): Promise<Universe>;
  /** Starts a second server from a saved state; without a name, from the present state. */
  fork(name?: string): Promise<TestServer>;
  /**
   * Puts the server back into a saved state, at the same address. Without a name, this is the state right after the
   * start.
   */
  reset(name?: string): Promise<void>;
  /** Stops the server and its forks, and removes their files. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
