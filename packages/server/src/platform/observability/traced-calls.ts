// The span of a call. Its name and attributes come from the contract and from the answer, never from the request.
import { pathOf } from '@sealpost/contract';
import { type MethodName, methodNames } from '@sealpost/contract/schemas';
import type { Caller } from '../rpc/call.ts';
import type { ObservedCall } from '../rpc/call-observer.ts';
import type { Endpoint } from '../rpc/endpoint.ts';
import type { Exchange } from '../rpc/exchange.ts';
import type { Span, SpanAttributes } from './traces.ts';

/** The HTTP methods that have a name in a span. The conventions give all others one name. */
const VERBS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);
const FAULT_STATUS = 500;
const methods = new Set<string>(methodNames);
const isMethod = (name: string): name is MethodName => methods.has(name);

/** Returns the attributes that the span of any call has about its request and its answer. */
export const httpAttributes = (verb: string, status: number): SpanAttributes => ({
  'http.request.method': VERBS.has(verb) ? verb : '_OTHER',
  'http.response.status_code': status,
});

/**
 * Returns how the span of a call ends: with the given error, which is a fault if the status says so, or without an
 * error.
 */
export const failureOf = (error: string | undefined, status: number) => ({
  ...(error !== undefined && { error, isFault: status >= FAULT_STATUS }),
});

/** Ends the span of a call when the call ends. Passes each event on to another observer as well. */
export class TracedCall implements ObservedCall {
  readonly #inner: ObservedCall;
  readonly #exchange: Exchange;
  readonly #endpoint: Endpoint | undefined;
  readonly span: Span;
  #error: string | undefined;
  #status = 0;
  #requestId: string | undefined;

  constructor(inner: ObservedCall, span: Span, exchange: Exchange, endpoint: Endpoint | undefined) {
    this.#inner = inner;
    this.#exchange = exchange;
    this.#endpoint = endpoint;
    this.span = span;
    this.#requestId = inner.requestId;
  }

  get requestId(): string | undefined {
    return this.#inner.requestId;
  }

  get outcome(): string {
    return this.#inner.outcome;
  }

  caller(caller: Caller): void {
    this.#inner.caller(caller);
  }

  received(body: Buffer): void {
    this.#inner.received(body);
  }

  refused(code: string, status: number, requestId: string): void {
    this.#inner.refused(code, status, requestId);
    this.#error = code;
    this.#status = status;
    this.#requestId = requestId;
  }

  left(): void {
    this.#inner.left();
    this.#error = this.outcome;
  }

  ended(): void {
    this.#inner.ended();
    if (!this.span.isSampled) return;
    const status = this.#status || this.#exchange.response.statusCode;
    this.span.end({
      attributes: {
        ...httpAttributes(this.#exchange.verb, status),
        ...(this.#endpoint && endpointAttributes(this.#endpoint, this.outcome)),
        ...(this.#requestId !== undefined && { 'sealpost.request.id': this.#requestId }),
      },
      ...failureOf(this.#error, status),
    });
  }
}

function endpointAttributes({ name, declared }: Endpoint, outcome: string): SpanAttributes {
  if (declared) return { 'http.route': declared.path };
  return {
    ...(isMethod(name) && { 'http.route': pathOf(name) }),
    'rpc.system.name': 'sealpost',
    'rpc.method': name,
    'rpc.response.status_code': outcome,
  };
}
