// What a handler receives beside its arguments.
import type { MethodArgs, MethodName, MethodResult } from '@sealpost/contract';

export interface Caller {
  readonly accountId: number;
  readonly mid: string;
  readonly sessionId: number;
}

export interface Call {
  readonly method: MethodName;
  /** Undefined for methods that are called before login. */
  readonly caller: Caller | undefined;
  readonly remoteAddress: string;
  /** Whether the client names its version as existing clients do, which decides a few forms of answers. */
  readonly chromeClient: boolean;
  /** The arguments after normalisation, for the fingerprint of a retry. */
  readonly args: readonly unknown[];
  /** A header of the request, lower-case name. */
  header(name: string): string | undefined;
  /** Aborts when the client goes away; for long polls. */
  readonly signal: AbortSignal;
  /** Sets a cookie on the answer. */
  setCookie(cookie: string): void;
}

export interface UserCall extends Call {
  readonly caller: Caller;
}

/** A result whose JSON exists already; written as it is. */
export class RawJson {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

type Answer<N extends MethodName> = MethodResult<N> | RawJson;
type AuthOf<N extends MethodName> = import('@sealpost/contract').Contract[N]['auth'];

/** A method's handler: the call, then the positional arguments, validated. */
export type Handler<N extends MethodName> = (
  call: AuthOf<N> extends 'user' ? UserCall : Call,
  ...args: MethodArgs<N>
) => Promise<Answer<N>> | Answer<N>;

/** The handlers of some methods, of all if none are named, by wire name. */
export type Handlers<N extends MethodName = MethodName> = { readonly [M in N]: Handler<M> };
