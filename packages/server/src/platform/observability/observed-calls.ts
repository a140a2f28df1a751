// Follows every call of the protocol: measures it, and writes it to the request log.
import type { Clock, Random } from '@sealpost/contract/ports';
import { randomHex } from '../kernel/random-text.ts';
import type { Caller } from '../rpc/call.ts';
import type { CallObserver, ObservedCall } from '../rpc/call-observer.ts';
import type { Endpoint } from '../rpc/endpoint.ts';
import type { Exchange } from '../rpc/exchange.ts';
import { type CallClass, classOf } from './call-class.ts';
import type { Metrics } from './metrics.ts';
import type { CallRecord, RequestLog } from './request-log.ts';
import { TracedCall } from './traced-calls.ts';
import type { Traces } from './traces.ts';

/** The outcome of a call without an error. */
const OK = 'OK';
/** The outcome of a call whose client left before its request was complete. */
const LEFT = 'CLIENT_GONE';
/** The name of the endpoint in metrics and logs if no endpoint serves the request. */
export const NO_ENDPOINT = 'none';
const ID_BYTES = 8;

export interface ObserverDeps {
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly random: Random;
  /** Undefined if no request log is wanted. */
  readonly requestLog: RequestLog | undefined;
  /** Undefined if no traces are wanted. */
  readonly traces: Traces | undefined;
  /** Returns the tag that stands for an account in the request log. */
  readonly tagOf: (accountId: number) => string;
}

export function createCallObserver(deps: ObserverDeps): CallObserver {
  const { requestLog, random, traces } = deps;
  const begin = (exchange: Exchange, endpoint: Endpoint | undefined, traceId?: string): ObservedCall => {
    if (!requestLog) return new MeasuredCall(deps, exchange, endpoint);
    const ids = { requestId: randomHex(random, ID_BYTES), ...(traceId !== undefined && { traceId }) };
    return new LoggedCall({ ...deps, requestLog }, exchange, endpoint, ids);
  };
  return traces ? tracedObserver(traces, begin) : { begin: (exchange, endpoint) => begin(exchange, endpoint), run };
}

const run: CallObserver['run'] = (_call, steps) => steps();

function tracedObserver(
  traces: Traces,
  begin: (exchange: Exchange, endpoint: Endpoint | undefined, traceId: string) => ObservedCall,
): CallObserver {
  return {
    begin(exchange, endpoint) {
      const name = endpoint ? endpoint.name : NO_ENDPOINT;
      const span = traces.begin(name, exchange.header('traceparent'));
      return new TracedCall(begin(exchange, endpoint, span.traceId), span, exchange, endpoint);
    },
    run: (call, steps) =>
      call instanceof TracedCall && call.span.isSampled ? traces.run([call.span], steps) : steps(),
  };
}

type MeasureDeps = Pick<ObserverDeps, 'metrics' | 'clock'>;

class MeasuredCall implements ObservedCall {
  readonly #deps: MeasureDeps;
  readonly #begun: number;
  readonly #class: CallClass;
  protected readonly endpoint: string;
  #outcome = OK;

  constructor(deps: MeasureDeps, exchange: Exchange, endpoint: Endpoint | undefined) {
    this.#deps = deps;
    this.#begun = deps.clock.monotonic();
    this.#class = classOf(endpoint, exchange.verb);
    this.endpoint = endpoint?.name ?? NO_ENDPOINT;
    deps.metrics.callBegan(this.#class);
  }

  get requestId(): string | undefined {
    return undefined;
  }

  get outcome(): string {
    return this.#outcome;
  }

  caller(_caller: Caller): void {}

  received(_body: Buffer): void {}

  refused(code: string, _status: number): void {
    this.#outcome = code;
  }

  left(): void {
    this.#outcome = LEFT;
  }

  ended(): void {
    this.endedAfter();
  }

  /** Notes the end of the call. Returns the duration of the call in milliseconds. */
  protected endedAfter(): number {
    const { metrics, clock } = this.#deps;
    const ms = clock.monotonic() - this.#begun;
    metrics.callEnded(this.#class, this.endpoint, this.#outcome, ms / 1000);
    return ms;
  }
}

type CallIds = Pick<Required<CallRecord>, 'requestId'> & Pick<CallRecord, 'traceId'>;

type LogDeps = ObserverDeps & { readonly requestLog: RequestLog };

class LoggedCall extends MeasuredCall {
  readonly #deps: LogDeps;
  readonly #exchange: Exchange;
  readonly #ids: CallIds;
  readonly #written: number;
  #caller: Caller | undefined;
  #bytesIn: number;
  #status = 0;

  constructor(deps: LogDeps, exchange: Exchange, endpoint: Endpoint | undefined, ids: CallIds) {
    super(deps, exchange, endpoint);
    this.#deps = deps;
    this.#exchange = exchange;
    this.#ids = ids;
    this.#written = exchange.request.socket.bytesWritten;
    // The length of a body that its handler reads is known only from the header.
    this.#bytesIn = Number.parseInt(exchange.header('content-length') ?? '0', 10) || 0;
    exchange.extraHeaders.push('X-Request-Id', ids.requestId);
  }

  override get requestId(): string {
    return this.#ids.requestId;
  }

  override caller(caller: Caller): void {
    this.#caller = caller;
  }

  override received(body: Buffer): void {
    if (body.length > 0) this.#bytesIn = body.length;
  }

  override refused(code: string, status: number): void {
    super.refused(code, status);
    this.#status = status;
  }

  override ended(): void {
    const ms = this.endedAfter();
    const { request, response, verb } = this.#exchange;
    const { requestLog, tagOf } = this.#deps;
    requestLog({
      endpoint: this.endpoint,
      verb,
      outcome: this.outcome,
      status: this.#status || response.statusCode,
      ms: Math.round(ms * 1000) / 1000,
      bytesIn: this.#bytesIn,
      bytesOut: Math.max(0, request.socket.bytesWritten - this.#written),
      ...(this.#caller && { account: tagOf(this.#caller.accountId) }),
      ...this.#ids,
    });
  }
}
