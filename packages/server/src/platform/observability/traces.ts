// Traces: spans of calls, and of the work that belongs to them. This module knows which call the running work belongs
// to. An adapter makes the spans. A server without traces has none of this.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The outcome of a span: the collector has it, the queue had no room for it, or the collector did not accept it. */
export const spanOutcomes = ['exported', 'dropped', 'failed'] as const;
export type SpanOutcome = (typeof spanOutcomes)[number];

export type SpanKind = 'server' | 'client' | 'producer' | 'internal';

/** The attributes of a span. No value is a text that a client chose. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  /** The name of the error with which the work failed. */
  readonly error?: string | undefined;
  /** True if the error is a fault of this server or of what it needs. */
  readonly isFault?: boolean;
  /** The time on the monotonic clock; undefined for now. */
  readonly at?: number;
}

/** A piece of work with a beginning and an end. */
export interface Span {
  readonly traceId: string;
  /** False if the span is not sent to the collector. In that case, no span below it is sent either. */
  readonly isSampled: boolean;
  readonly isEnded: boolean;
  /**
   * Begins a span below this one.
   * @param begun the time on the monotonic clock; undefined for now
   */
  child(name: string, kind: SpanKind, begun?: number): Span;
  end(outcome?: SpanEnd): void;
}

/** The adapter that makes spans and sends them to a collector. */
export interface SpanSource {
  /** @param traceparent the header of a request, which may name the span of the caller */
  begin(name: string, kind: SpanKind, traceparent: string | undefined): Span;
  /** Sends the remaining spans, and stops. */
  close(): Promise<void>;
}

/** The spans to which work belongs. There are several if the work serves several calls. */
interface Work {
  readonly spans: readonly Span[];
  /** True if the work continues after the calls have ended. */
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

  /**
   * Runs work that belongs to calls. Later work that it starts, for example with timers, belongs to the calls only
   * until they end.
   */
  run<T>(spans: readonly Span[], work: () => T): T {
    return this.#running.run({ spans, goesOn: false }, work);
  }

  /** Runs work that calls caused and that continues after they have ended. */
  runAfter<T>(spans: readonly Span[], work: () => T): T {
    return this.#running.run({ spans, goesOn: true }, work);
  }

  /** Returns the sampled spans to which the running work belongs. */
  current(): readonly Span[] {
    const work = this.#running.getStore();
    if (!work || work.spans.length === 0) return NO_SPANS;
    return work.spans.filter(({ isSampled, isEnded }) => isSampled && (work.goesOn || !isEnded));
  }

  /** Runs a piece of work as a span below each current span. If the work fails, the span gets the name of the error. */
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
