// The data and functions that a server process shares with the other processes under the same supervisor.
import type { Bus } from '../../platform/bus/bus.ts';
import type { Metrics } from '../../platform/observability/metrics.ts';
import type { Parts } from '../readiness.ts';

export interface Siblings {
  /** The bus between the processes. It is used unless the settings name another bus. */
  readonly bus: Bus;
  /** The secret with which each process proves that the server owns its data folder. */
  readonly secret: string;
  /** The checks of all processes, as parts of the server's readiness. */
  readonly parts: Parts;
  /** Returns the metrics of all processes together; `own` are those of this process. */
  metrics(own: Metrics): Pick<Metrics, 'contentType' | 'text'>;
}
