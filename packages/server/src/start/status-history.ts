// The work of a server in the last hour, for the charts of the administration pages. Samples are taken in memory, and
// are lost when the server ends.
import { type StatusSample, statusSampling } from '@sealpost/contract/admin';
import type { Clock, Timers } from '@sealpost/contract/ports';
import type { Disk } from './disk-space.ts';

/** The counts of a server's work since its start, and its present use of resources. */
export interface Work {
  readonly streams: number;
  readonly sends: number;
  readonly calls: number;
}

export interface StatusHistoryDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly work: () => Work;
  readonly disk: () => Promise<Disk>;
  readonly onError: (error: unknown) => void;
}

export interface StatusHistory {
  /** The samples of the last hour, the oldest first. */
  samples(): readonly StatusSample[];
  close(): void;
}

/** Starts to take samples, until the history is closed. */
export function createStatusHistory({ clock, timers, work, disk, onError }: StatusHistoryDeps): StatusHistory {
  let samples: readonly StatusSample[] = [];
  let before = work();

  async function sample(): Promise<void> {
    const now = work();
    const { sends, calls } = before;
    before = now;
    const time = new Date(clock.now()).toISOString();
    const { freeBytes } = await disk();
    const next = { time, streams: now.streams, sends: now.sends - sends, calls: now.calls - calls, freeBytes };
    samples = [...samples, next].slice(-statusSampling.kept);
  }
  const timer = timers.every(statusSampling.everyMs, () => void sample().catch(onError), { coarse: () => true });
  return { samples: () => samples, close: () => timer.cancel() };
}
