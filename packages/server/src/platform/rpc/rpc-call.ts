// One call of a method that arrived over HTTP.
import type { MethodName } from '@sealpost/contract';
import type { Call, Caller } from './call.ts';
import type { Exchange } from './exchange.ts';

export class RpcCall implements Call {
  readonly method: MethodName;
  readonly caller: Caller | undefined;
  readonly args: readonly unknown[];
  readonly #exchange: Exchange;

  constructor(exchange: Exchange, method: MethodName, caller: Caller | undefined, args: readonly unknown[]) {
    this.method = method;
    this.caller = caller;
    this.args = args;
    this.#exchange = exchange;
  }

  get remoteAddress(): string {
    return this.#exchange.remoteAddress;
  }

  get chromeClient(): boolean {
    return this.#exchange.chromeClient;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  header(name: string): string | undefined {
    return this.#exchange.header(name);
  }

  setCookie(cookie: string): void {
    this.#exchange.setCookie(cookie);
  }
}
