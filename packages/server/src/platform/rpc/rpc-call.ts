// A call as it came over HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MethodName } from '@sealpost/contract';
import type { Call, Caller } from './call.ts';

/** What all calls of a server share. */
export interface CallContext {
  /** The header that tells an existing client, lower-case name. */
  readonly chromeHeader: string;
  readonly requestIdOf: (request: IncomingMessage) => string;
}

/** A class, because every request makes one: what few handlers ask for is worked out when they do. */
export class RpcCall implements Call {
  readonly method: MethodName;
  readonly caller: Caller | undefined;
  readonly args: readonly unknown[];
  readonly remoteAddress: string;
  readonly #context: CallContext;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #answerHeaders: string[];

  constructor(
    context: CallContext,
    method: MethodName,
    caller: Caller | undefined,
    args: readonly unknown[],
    remoteAddress: string,
    request: IncomingMessage,
    response: ServerResponse,
    answerHeaders: string[],
  ) {
    this.method = method;
    this.caller = caller;
    this.args = args;
    this.remoteAddress = remoteAddress;
    this.#context = context;
    this.#request = request;
    this.#response = response;
    this.#answerHeaders = answerHeaders;
  }

  get requestId(): string {
    return this.#context.requestIdOf(this.#request);
  }

  get chromeClient(): boolean {
    return this.#request.headers[this.#context.chromeHeader] !== undefined;
  }

  get signal(): AbortSignal {
    return abortSignal(this.#response);
  }

  header(name: string): string | undefined {
    return one(this.#request.headers[name]);
  }

  setCookie(cookie: string): void {
    this.#answerHeaders.push('Set-Cookie', cookie);
  }
}

export const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/** Aborts when the client goes away. */
export function abortSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => controller.abort());
  return controller.signal;
}
