// The metrics of all workers as those of one server. Counters and histograms are summed. They never go back: what a
// worker counted until its end stays in the sums. Gauges are summed too, unless they name another way.
import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import type { MetricsSnapshot } from '../../platform/observability/metrics.ts';

export interface SummedMetrics {
  /** Notes the newest metrics of a worker. */
  note(worker: object, snapshot: MetricsSnapshot): void;
  /** Keeps what a worker counted that has ended, as far as it was noted. */
  end(worker: object): void;
  /** Counts that a worker is started again after its end. */
  restarted(): void;
  text(): Promise<string>;
}

/** The types of metrics that only rise. */
const RISING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

/** Lets the lag of the event loop be that of the worst process. A mean would hide one that is overloaded. */
const worstOf = (metric: MetricsSnapshot[number]): MetricsSnapshot[number] =>
  metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric;

export function createSummedMetrics(): SummedMetrics {
  const own = new Registry();
  const restarts = new Counter({
    name: 'sealpost_process_restarts_total',
    help: 'processes of this server that ended unexpectedly and were started again',
    registers: [own],
  });
  const living = new Map<object, MetricsSnapshot>();
  /** What workers that have ended counted, once it is summed. */
  let ended: Promise<MetricsSnapshot> = Promise.resolve([]);
  return {
    note: (worker, snapshot) => void living.set(worker, snapshot.map(worstOf)),
    end(worker) {
      const last = living.get(worker);
      living.delete(worker);
      const rising = last?.filter(({ type }) => RISING.has(type));
      if (rising) ended = ended.then((sum) => AggregatorRegistry.aggregate([sum, rising]).getMetricsAsJSON());
    },
    restarted: () => restarts.inc(),
    async text() {
      const parts = [await ended, ...living.values(), await own.getMetricsAsJSON()];
      return AggregatorRegistry.aggregate(parts).metrics();
    },
  };
}
