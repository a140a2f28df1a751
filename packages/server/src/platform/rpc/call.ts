// The data that a handler receives besides its arguments.
import type { MethodArgs, MethodName, MethodResult } from '@sealpost/contract';

export interface Caller {
  readonly accountId: number;
  readonly mid: string;
  readonly sessionId: number;
}

export interface Call {
  readonly method: MethodName;
  /** The account and session that call; undefined for methods that are called before login. */
  readonly caller: Caller | undefined;
  readonly remoteAddress: string;
  /**
   * Whether the client sends its version in the header that existing clients use. Some answers have a different form
   * for such a client.
   */
  readonly chromeClient: boolean;
  /** The arguments in the contract's form. The fingerprint that recognizes a repeated request is made from them. */
  readonly args: readonly unknown[];
  /** Returns a header of the request. The name is in lower case. */
  header(name: string): string | undefined;
  /** Aborts when the client disconnects; used by long polls. */
  readonly signal: AbortSignal;
  /** Sets a cookie on the answer. */
  setCookie(cookie: string): void;
}

export interface UserCall extends Call {
  readonly caller: Caller;
}

/** A result that already is JSON text. It is written unchanged. */
export class RawJson {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

type Answer<N extends MethodName> = MethodResult<N> | RawJson;
type AuthOf<N extends MethodName> = import('@sealpost/contract').Contract[N]['auth'];

/** The handler of a method. It receives the call, then the validated positional arguments. */
export type Handler<N extends MethodName> = (
  call: AuthOf<N> extends 'user' ? UserCall : Call,
  ...args: MethodArgs<N>
) => Promise<Answer<N>> | Answer<N>;

/** The handlers of the named methods by wire name; by default of all methods. */
export type Handlers<N extends MethodName = MethodName> = { readonly [M in N]: Handler<M> };
