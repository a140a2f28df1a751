// What a server has of the other processes that serve together with it under one supervisor.
import type { Bus } from '../../platform/bus/bus.ts';
import type { Metrics } from '../../platform/observability/metrics.ts';
import type { Parts } from '../readiness.ts';

export interface Siblings {
  /** The bus between the processes. It is used unless the settings name another bus. */
  readonly bus: Bus;
  /** The secret with which each process proves that the server owns its data folder. */
  readonly secret: string;
  /** The state of each process, as a part of the server. */
  readonly parts: Parts;
  /** Returns the metrics of all processes together; `own` are those of this process. */
  metrics(own: Metrics): Pick<Metrics, 'contentType' | 'text'>;
}
