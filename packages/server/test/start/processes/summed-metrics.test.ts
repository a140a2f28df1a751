import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createSummedMetrics } from '../../../src/start/processes/summed-metrics.ts';

/** Metrics of a worker, after it has counted. */
async function metricsOf(count: number, lag: number) {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  new Counter({ name: 'calls_total', help: 'calls', labelNames: ['endpoint'], registers }).inc(
    { endpoint: 'a' },
    count,
  );
  new Gauge({ name: 'streams', help: 'streams', registers }).set(count);
  new Gauge({ name: 'ready', help: 'ready', aggregator: 'min', registers }).set(count === 1 ? 0 : 1);
  new Gauge({ name: 'mean_lag', help: 'lag', aggregator: 'average', registers }).set(lag);
  const seconds = new Histogram({ name: 'call_seconds', help: 'time', buckets: [1, 10], registers });
  for (let i = 0; i < count; i += 1) seconds.observe(i);
  return registry.getMetricsAsJSON();
}

const valueIn = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  );

test('counters, histograms and gauges of all workers are summed', async () => {
  const sums = createSummedMetrics();
  sums.note({}, await metricsOf(3, 0.1));
  sums.note({}, await metricsOf(1, 0.7));
  const text = await sums.text();
  assert.equal(valueIn(text, 'calls_total{endpoint="a"}'), 4);
  assert.equal(valueIn(text, 'streams'), 4);
  assert.equal(valueIn(text, 'call_seconds_count'), 4);
  assert.equal(valueIn(text, 'call_seconds_bucket{le="1"}'), 3);
  assert.equal(valueIn(text, 'call_seconds_sum'), 3);
  assert.equal(valueIn(text, 'ready'), 0, 'one worker that is not ready is enough');
  assert.equal(valueIn(text, 'mean_lag'), 0.7, 'the worst worker counts');
  assert.match(text, /^# TYPE call_seconds histogram$/m);
});

test('what a worker counted stays when it ends, and its gauges go', async () => {
  const sums = createSummedMetrics();
  const [first, second] = [{}, {}];
  sums.note(first, await metricsOf(3, 0));
  sums.note(second, await metricsOf(2, 0));
  sums.end(first);
  sums.end({});
  sums.restarted();
  const text = await sums.text();
  assert.equal(valueIn(text, 'calls_total{endpoint="a"}'), 5);
  assert.equal(valueIn(text, 'call_seconds_bucket{le="+Inf"}'), 5);
  assert.equal(valueIn(text, 'streams'), 2);
  assert.equal(valueIn(text, 'sealpost_process_restarts_total'), 1);
  sums.end(second);
  assert.equal(valueIn(await sums.text(), 'calls_total{endpoint="a"}'), 5);
});
