// The messages between a supervisor and its workers. A question has a number, and its answer has the same number.
import type { WakeMessage } from '../../platform/bus/ipc.ts';
import type { MetricsSnapshot } from '../../platform/observability/metrics.ts';
import type { ShownServer } from '../banner.ts';
import type { Config } from '../config/config.ts';

/** The data that a worker needs to start. */
export interface Place {
  /** The number of the worker among those that serve together, from 1. The successor of a worker gets its number. */
  readonly number: number;
  /** The settings. A worker does not read them itself, so all workers have the same ones until a reload. */
  readonly config: Config;
  /** The secret with which the server proves that it owns its data folder. */
  readonly secret: string;
  /** True for the first worker of the first start. This worker makes the setup link for the first administrator. */
  readonly isFirst: boolean;
}

/** The facts that a worker reports when it begins to serve calls. */
export interface WorkerFacts {
  readonly shown: ShownServer;
  /**
   * The link that makes the first administrator. Undefined if the server has an administrator, or if the worker is not
   * the first.
   */
  readonly setup: { readonly link: string } | undefined;
}

interface Question<Kind extends string> {
  readonly kind: Kind;
  readonly id: number;
}

export type FromWorker =
  /** The worker process runs, and waits for the message with its `Place`. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'listening'; readonly facts: WorkerFacts }
  /** The start failed. `isConfig` is true if a setting is the cause. */
  | { readonly kind: 'failed'; readonly message: string; readonly isConfig: boolean }
  | WakeMessage
  | (Question<'snapshot-is'> & { readonly snapshot: MetricsSnapshot })
  | Question<'works'>
  /** Asks for the metrics of all workers together. */
  | Question<'metrics'>
  /** Asks whether a worker can serve calls. */
  | (Question<'state'> & { readonly of: number });

export type ToWorker =
  | { readonly kind: 'place'; readonly place: Place }
  /** Tells the worker to end. `othersServe` is true if the other workers go on. */
  | { readonly kind: 'stop'; readonly othersServe: boolean }
  | WakeMessage
  /** Asks for the metrics of this worker alone. */
  | Question<'snapshot'>
  | Question<'works?'>
  | (Question<'metrics-are'> & { readonly text: string })
  | (Question<'state-is'> & { readonly state: string });
