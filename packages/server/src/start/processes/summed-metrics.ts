// The metrics of all workers as those of one server. Counters and histograms are summed. These sums never fall, because
// the counts of a worker stay in them after its end. Gauges are summed too, unless the metric names another aggregator.
import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import type { MetricsSnapshot } from '../../platform/observability/metrics.ts';

export interface SummedMetrics {
  /** Stores the newest metrics of a worker. */
  note(worker: object, snapshot: MetricsSnapshot): void;
  /** Adds the last known counts of a worker that has ended to those of all ended workers. */
  end(worker: object): void;
  /** Counts a restart of a worker. */
  restarted(): void;
  text(): Promise<string>;
}

/** The types of metrics whose values only rise. */
const RISING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

/**
 * Changes the aggregator of the event loop's lag, so that the value is that of the slowest process. A mean would hide
 * one overloaded process.
 */
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
  /** The summed counts of all workers that have ended. */
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
