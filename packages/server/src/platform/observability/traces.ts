// Traces: spans of calls, and of the work that belongs to them. This module knows which call the running work belongs
// to. The adapter that it is given makes the spans. A server without traces has none of this.
import { AsyncLocalStorage } from 'node:async_hooks';

/** What became of spans: the collector has them, the queue had no place, or the collector did not take them. */
export const spanOutcomes = ['exported', 'dropped', 'failed'] as const;
export type SpanOutcome = (typeof spanOutcomes)[number];

export type SpanKind = 'server' | 'client' | 'producer' | 'internal';

/** What a span tells. No value is a text that a client chose. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  /** The name of the error with which the work failed. */
  readonly error?: string | undefined;
  /** True if the error is a fault of this server or of what it needs. */
  readonly isFault?: boolean;
  /** The moment on the monotonic clock, if it is not now. */
  readonly at?: number;
}

/** A piece of work with a beginning and an end. */
export interface Span {
  readonly traceId: string;
  /** False if the span was not chosen for the collector, which is then so for all spans below it. */
  readonly isSampled: boolean;
  readonly isEnded: boolean;
  /**
   * Begins a span below this one.
   * @param begun the moment on the monotonic clock, if it is not now
   */
  child(name: string, kind: SpanKind, begun?: number): Span;
  end(outcome?: SpanEnd): void;
}

/** The adapter that makes spans and sends them to a collector. */
export interface SpanSource {
  /** @param traceparent the header of a request, which may name the span of the caller */
  begin(name: string, kind: SpanKind, traceparent: string | undefined): Span;
  /** Sends what is left, and stops. */
  close(): Promise<void>;
}

/** The spans to which work belongs. There are several if the work serves several calls. */
interface Work {
  readonly spans: readonly Span[];
  /** True if the work goes on after the calls have ended. */
  readonly goesOn: boolean;
}

const NO_SPANS: readonly Span[] = [];

export class Traces {
  readonly #source: SpanSource;
  readonly #running = new AsyncLocalStorage<Work>();

  constructor(source: SpanSource) {
    this.#source = source;
  }

  /** Begins the span of a call. */
  begin(name: string, traceparent: string | undefined): Span {
    return this.#source.begin(name, 'server', traceparent);
  }

  /** Runs work for calls. What the work leaves behind, such as timers, belongs to them only until they end. */
  run<T>(spans: readonly Span[], work: () => T): T {
    return this.#running.run({ spans, goesOn: false }, work);
  }

  /** Runs work that calls caused, and that goes on after they have ended. */
  runAfter<T>(spans: readonly Span[], work: () => T): T {
    return this.#running.run({ spans, goesOn: true }, work);
  }

  /** Returns the sampled spans to which the running work belongs. */
  current(): readonly Span[] {
    const work = this.#running.getStore();
    if (!work || work.spans.length === 0) return NO_SPANS;
    return work.spans.filter(({ isSampled, isEnded }) => isSampled && (work.goesOn || !isEnded));
  }

  /** Runs a piece of work as a span below each current one. An error is told by its name. */
  async spanOf<T>(
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes,
    work: () => Promise<T>,
    endOf: (answer: T) => SpanEnd = () => ({}),
  ): Promise<T> {
    const parents = this.current();
    if (parents.length === 0) return work();
    const spans = parents.map((parent) => parent.child(name, kind));
    const end = (outcome: SpanEnd): void => {
      for (const span of spans) span.end({ ...outcome, attributes: { ...attributes, ...outcome.attributes } });
    };
    try {
      const answer = await work();
      end(endOf(answer));
      return answer;
    } catch (error) {
      end({ error: error instanceof Error ? error.name : 'unknown', isFault: true });
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
