// What a server did in the last hour, for the plots of the administration pages. It is sampled in memory, and forgotten
// when the server ends.
import { type StatusSample, statusSampling } from '@sealpost/contract/admin';
import type { Clock, Timers } from '@sealpost/contract/ports';
import type { Disk } from './disk-space.ts';

/** What the server has done since its start, and what it has now. */
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

/** Begins to sample, until the history is closed. */
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
