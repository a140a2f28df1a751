// Metrics whose values are read at the moment of the request. `aggregator` says how the gauges of several processes
// become one value. Without `aggregator`, they are summed.
import { Counter, Gauge } from 'prom-client';
import type { SecurityEvents } from '../platform/kernel/security-events.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import type { OpenStreams } from '../platform/stream/open-streams.ts';
import type { Subscribers } from '../platform/subscriber/subscribers.ts';
import { PART_OK, type Readiness } from './readiness.ts';

export interface ShownState {
  readonly openStreams: Pick<OpenStreams, 'size' | 'unread'>;
  readonly subscribers: Pick<Subscribers, 'state'>;
  readonly events: Pick<SecurityEvents, 'counts'>;
  readonly readiness: Readiness;
}

export function showState({ registry }: Metrics, { openStreams, subscribers, events, readiness }: ShownState): void {
  const registers = [registry];
  new Counter({
    name: 'sealpost_security_events_total',
    help: 'refusals that an attacker may have caused, by kind',
    labelNames: ['event'],
    registers,
    collect() {
      this.reset();
      for (const [event, count] of events.counts) this.inc({ event }, count);
    },
  });
  new Gauge({
    name: 'sealpost_streams',
    help: 'open operation streams',
    registers,
    collect() {
      this.set(openStreams.size);
    },
  });
  new Gauge({
    name: 'sealpost_stream_unread_bytes',
    help: 'bytes that clients of operation streams have not read yet',
    registers,
    collect() {
      this.set(openStreams.unread());
    },
  });
  new Counter({
    name: 'sealpost_subscriber_operations_total',
    help: 'operations that log subscribers handled, tried again, parked or missed',
    labelNames: ['subscriber', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const { name, counts } of subscribers.state())
        for (const [outcome, count] of Object.entries(counts)) this.inc({ subscriber: name, outcome }, count);
    },
  });
  new Gauge({
    name: 'sealpost_subscriber_lag_seconds',
    help: 'time for which the oldest news of a log subscriber has waited',
    labelNames: ['subscriber'],
    aggregator: 'max',
    registers,
    collect() {
      for (const { name, lagMs } of subscribers.state()) this.set({ subscriber: name }, lagMs / 1000);
    },
  });
  new Gauge({
    name: 'sealpost_part_ready',
    help: '1 if a part of the server can work, else 0; /readyz says why',
    labelNames: ['part'],
    // The value is 0 if any process cannot work.
    aggregator: 'min',
    registers,
    async collect() {
      const { parts } = await readiness();
      for (const [part, state] of Object.entries(parts)) this.set({ part }, state === PART_OK ? 1 : 0);
    },
  });
}
