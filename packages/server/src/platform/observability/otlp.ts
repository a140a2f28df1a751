// Makes spans with the libraries of OpenTelemetry, and sends them to a collector as OTLP over HTTP, in JSON. The libraries
// are loaded with this module, so a server without traces does not load it.
import {
  type Context,
  type HrTime,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Clock, Random } from '@sealpost/contract/ports';
import { drawUuid } from '@sealpost/contract/ports';
import { SpanQueue, type SpanQueueDeps } from './span-queue.ts';
import type { Span, SpanEnd, SpanKind, SpanSource } from './traces.ts';

export interface OtlpOptions extends Omit<SpanQueueDeps<ReadableSpan>, 'send'> {
  readonly random: Random;
  /** The address of the collector, without `/v1/traces`. */
  readonly url: string;
  /** The share of traces that are sent, from 0 to 1, among the traces that begin at this server. */
  readonly ratio: number;
  readonly version: string;
}

const SERVICE = 'sealpost';
/** Milliseconds for all attempts to send the same spans. */
const TIMEOUT_MS = 5_000;

const kinds: Readonly<Record<SpanKind, OtelSpanKind>> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  producer: OtelSpanKind.PRODUCER,
  internal: OtelSpanKind.INTERNAL,
};

export function openOtlp(options: OtlpOptions): SpanSource {
  const { clock, random, url, ratio, version } = options;
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: TIMEOUT_MS });
  const queue = new SpanQueue<ReadableSpan>({ ...options, send: (spans) => sent(exporter, spans) });
  const provider = new TracerProvider({
    // If the caller sends the id of its trace, the caller decides whether the spans are kept.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    resource: resourceFromAttributes({
      'service.name': SERVICE,
      'service.version': version,
      'service.instance.id': drawUuid(random),
    }),
    spanProcessors: [
      { onStart() {}, onEnd: (span) => queue.add(span), forceFlush: async () => {}, shutdown: async () => {} },
    ],
  });
  const tracer = provider.getTracer(SERVICE, version);
  return {
    begin: (name, kind, traceparent) => {
      const moment = { now: clock.now(), monotonic: clock.monotonic() };
      return new StartedSpan({ tracer, clock, moment }, name, kind, contextOf(traceparent), moment.monotonic);
    },
    async close() {
      await queue.close();
      // Requests that the collector has not answered end by their own time limit.
      void exporter.shutdown();
    },
  };
}

/** Returns the context of a caller. Its `tracestate` is left out, because a client can put any text there. */
function contextOf(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

function sent(exporter: OTLPTraceExporter, spans: ReadableSpan[]): Promise<Error | undefined> {
  return new Promise((resolve) => {
    exporter.export(spans, ({ code, error }) =>
      resolve(code === ExportResultCode.SUCCESS ? undefined : (error ?? new Error('the export failed'))),
    );
  });
}

interface SpanDeps {
  readonly tracer: Tracer;
  readonly clock: Clock;
  /**
   * The same moment on the system clock and on the monotonic clock. All times of a trace are counted from this moment,
   * so a change of the system clock does not put them out of order.
   */
  readonly moment: { readonly now: number; readonly monotonic: number };
}

class StartedSpan implements Span {
  readonly #deps: SpanDeps;
  readonly #context: Context;
  readonly #span: OtelSpan;
  #isEnded = false;

  constructor(deps: SpanDeps, name: string, kind: SpanKind, parent: Context, begun: number) {
    this.#deps = deps;
    this.#span = deps.tracer.startSpan(name, { kind: kinds[kind], startTime: timeOf(deps, begun) }, parent);
    this.#context = trace.setSpan(parent, this.#span);
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get isSampled(): boolean {
    return (this.#span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  child(name: string, kind: SpanKind, begun = this.#deps.clock.monotonic()): Span {
    return new StartedSpan(this.#deps, name, kind, this.#context, begun);
  }

  end({ attributes, error, isFault = false, at = this.#deps.clock.monotonic() }: SpanEnd = {}): void {
    this.#isEnded = true;
    if (attributes) this.#span.setAttributes(attributes);
    if (error !== undefined) this.#span.setAttribute('error.type', error);
    if (isFault) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(timeOf(this.#deps, at));
  }
}

/** Returns a moment of the monotonic clock as seconds and nanoseconds of the epoch. */
function timeOf({ moment }: SpanDeps, monotonic: number): HrTime {
  const micros = Math.round((moment.now + monotonic - moment.monotonic) * 1000);
  return [Math.floor(micros / 1_000_000), (micros % 1_000_000) * 1000];
}
