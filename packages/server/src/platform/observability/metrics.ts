// Counts and measures what one server does, in the form that Prometheus reads. No label has the name of an account, a
// chat or an address, so the number of series stays small.
import type { Clock } from '@sealpost/contract/ports';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CommitTimer } from '../store/store.ts';
import type { CallClass } from './call-class.ts';
import { type SpanOutcome, spanOutcomes } from './traces.ts';

/** Bounds of buckets in seconds: from work in memory to calls that time out. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Bounds of buckets for the calls that share one commit. */
const CALLS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The kinds of work that wait for a scarce resource. For each kind, a gauge shows how much work waits or runs now. */
export const queues = ['sends', 'transactions', 'passwords', 'slow-crypto', 'outbound'] as const;
export type Queue = (typeof queues)[number];

/** The directions of a wake-up: from this server to the others, or from another server. */
export type WakeDirection = 'sent' | 'received';

/** The metrics of one process, as data. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

const register = (registry: Registry) => ({ registers: [registry] });

/**
 * The metrics of the process itself. They have a timer and an observer that never end. So all servers of a process share
 * them, or each server would stay in memory after its end.
 */
let ofProcess: Registry | undefined;

function processMetrics(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

export class Metrics {
  readonly #registry = Registry.merge([processMetrics()]);
  readonly #clock: Clock;
  readonly #waiting = new Map<Queue, number>(queues.map((queue) => [queue, 0]));
  readonly #running = new Map<CallClass, number>();
  #callCount = 0;
  #sendCount = 0;
  readonly #calls: Counter<'endpoint' | 'outcome'>;
  readonly #callSeconds: Histogram<'class'>;
  readonly #faults: Counter<'error'>;
  readonly #commitSeconds: Histogram;
  readonly #commitCalls: Histogram;
  readonly #deliverySeconds: Histogram;
  readonly #wakeUps: Counter<'direction'>;
  readonly #objectSeconds: Histogram<'operation' | 'outcome'>;
  readonly #outboundSeconds: Histogram<'outcome'>;
  readonly #spans: Counter<'outcome'>;

  constructor(clock: Clock, version: string) {
    this.#clock = clock;
    const of = register(this.#registry);
    new Gauge({
      name: 'sealpost_build_info',
      help: 'always 1; the label is the version of the server',
      labelNames: ['version'],
      aggregator: 'first',
      ...of,
    }).set({ version }, 1);
    this.#calls = new Counter({
      name: 'sealpost_calls_total',
      help: 'calls answered, by endpoint and outcome: OK, or the name of an error',
      labelNames: ['endpoint', 'outcome'],
      ...of,
    });
    this.#callSeconds = new Histogram({
      name: 'sealpost_call_duration_seconds',
      help: 'time from the head of a request to its answer, by class of endpoint',
      labelNames: ['class'],
      buckets: SECONDS,
      ...of,
    });
    this.#faults = new Counter({
      name: 'sealpost_faults_total',
      help: 'calls that failed by a fault of the server or its database, by the name of the error',
      labelNames: ['error'],
      ...of,
    });
    this.#commitSeconds = new Histogram({
      name: 'sealpost_commit_duration_seconds',
      help: 'time that the database needed for a commit',
      buckets: SECONDS,
      ...of,
    });
    this.#commitCalls = new Histogram({
      name: 'sealpost_commit_calls',
      help: 'calls that one commit made durable together',
      buckets: CALLS,
      ...of,
    });
    this.#deliverySeconds = new Histogram({
      name: 'sealpost_delivery_delay_seconds',
      help: 'time from the moment an operation is added to a log until it is written to an open stream',
      buckets: SECONDS,
      ...of,
    });
    this.#wakeUps = new Counter({
      name: 'sealpost_bus_wakeups_total',
      help: 'accounts that servers announced to each other because they have something new, by direction',
      labelNames: ['direction'],
      ...of,
    });
    this.#objectSeconds = new Histogram({
      name: 'sealpost_object_duration_seconds',
      help: 'time of work in the object store, by operation and outcome',
      labelNames: ['operation', 'outcome'],
      buckets: SECONDS,
      ...of,
    });
    this.#outboundSeconds = new Histogram({
      name: 'sealpost_outbound_duration_seconds',
      help: 'time of calls to other servers, by outcome',
      labelNames: ['outcome'],
      buckets: SECONDS,
      ...of,
    });
    this.#spans = new Counter({
      name: 'sealpost_spans_total',
      help: 'spans of traces that the collector has, that found the queue full, or that the collector did not take',
      labelNames: ['outcome'],
      ...of,
    });
    this.#countWaiting();
    for (const outcome of spanOutcomes) this.spans(outcome, 0);
    this.wakeUps('sent', 0);
    this.wakeUps('received', 0);
  }

  /**
   * The registry of all metrics. Other modules can add metrics whose values are computed when somebody requests them.
   */
  get registry(): Registry {
    return this.#registry;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  snapshot(): Promise<MetricsSnapshot> {
    return this.#registry.getMetricsAsJSON();
  }

  /** Numbers of calls of the protocol, and of sends, since the start. */
  get work(): { readonly calls: number; readonly sends: number } {
    return { calls: this.#callCount, sends: this.#sendCount };
  }

  callBegan(kind: CallClass): void {
    this.#running.set(kind, (this.#running.get(kind) ?? 0) + 1);
  }

  callEnded(kind: CallClass, endpoint: string, outcome: string, seconds: number): void {
    this.#running.set(kind, (this.#running.get(kind) ?? 1) - 1);
    if (kind !== 'beside' && kind !== 'none') this.#callCount += 1;
    if (endpoint === 'TalkService.sendMessage' && outcome === 'OK') this.#sendCount += 1;
    this.#calls.inc({ endpoint, outcome });
    this.#callSeconds.observe({ class: kind }, seconds);
  }

  fault(error: unknown): void {
    this.#faults.inc({ error: error instanceof Error ? error.name : 'unknown' });
  }

  /** Measures a commit. Called when the commit begins; the returned function is called once the commit is durable. */
  readonly timeCommit: CommitTimer = () => {
    const begun = this.#clock.monotonic();
    return (calls) => {
      this.#commitSeconds.observe((this.#clock.monotonic() - begun) / 1000);
      this.#commitCalls.observe(calls);
    };
  };

  /** @param createdTime the time of the oldest operation that was written, in epoch milliseconds */
  readonly delivered = (createdTime: number): void => {
    // The clock of another server may be ahead of this one.
    this.#deliverySeconds.observe(Math.max(0, this.#clock.now() - createdTime) / 1000);
  };

  wakeUps(direction: WakeDirection, accounts: number): void {
    this.#wakeUps.inc({ direction }, accounts);
  }

  readonly spans = (outcome: SpanOutcome, count: number): void => {
    this.#spans.inc({ outcome }, count);
  };

  /** Counts a piece of work as waiting until it succeeds or fails. */
  async waiting<T>(queue: Queue, work: () => Promise<T>): Promise<T> {
    this.#waiting.set(queue, (this.#waiting.get(queue) ?? 0) + 1);
    try {
      return await work();
    } finally {
      this.#waiting.set(queue, (this.#waiting.get(queue) ?? 1) - 1);
    }
  }

  /** Measures work in the object store. */
  objectWork<T>(operation: string, work: () => Promise<T>): Promise<T> {
    return this.#timed(work, (seconds, error) =>
      this.#objectSeconds.observe({ operation, outcome: error === undefined ? 'OK' : nameOf(error) }, seconds),
    );
  }

  /** Measures a call to another server. */
  outboundCall<T extends { readonly status: number }>(work: () => Promise<T>): Promise<T> {
    return this.#timed(work, (seconds, error, answer) => {
      const outcome = error === undefined ? `HTTP_${answer?.status ?? 0}` : nameOf(error);
      this.#outboundSeconds.observe({ outcome }, seconds);
    });
  }

  async #timed<T>(work: () => Promise<T>, note: (seconds: number, error?: unknown, answer?: T) => void): Promise<T> {
    const begun = this.#clock.monotonic();
    const seconds = (): number => (this.#clock.monotonic() - begun) / 1000;
    try {
      const answer = await work();
      note(seconds(), undefined, answer);
      return answer;
    } catch (error) {
      note(seconds(), error ?? new Error('nothing was thrown'));
      throw error;
    }
  }

  #countWaiting(): void {
    const [waiting, running] = [this.#waiting, this.#running];
    new Gauge({
      name: 'sealpost_queue_length',
      help: 'pieces of work that wait or run now, by queue',
      labelNames: ['queue'],
      ...register(this.#registry),
      collect() {
        for (const [queue, count] of waiting) this.set({ queue }, count);
      },
    });
    new Gauge({
      name: 'sealpost_calls_running',
      help: 'calls that are not answered yet, by class of endpoint; uploads that run are those of the class upload',
      labelNames: ['class'],
      ...register(this.#registry),
      collect() {
        for (const [kind, count] of running) this.set({ class: kind }, count);
      },
    });
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
