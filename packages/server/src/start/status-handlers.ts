// Admin endpoints about the server itself: the state of its parts, its work in the last hour, and its settings.
import { mostOpenReports, type ServerSetting, type StatusEndpoint, statusSampling } from '@sealpost/contract/admin';
import type { Clock } from '@sealpost/contract/ports';
import type { AdminHandlers } from '../slices/admin/index.ts';
import type { Disk } from './disk-space.ts';
import type { Readiness } from './readiness.ts';
import type { StatusHistory } from './status-history.ts';

export interface StatusAdminDeps {
  readonly clock: Clock;
  readonly version: string;
  readonly url: () => string;
  readonly startedTime: number;
  readonly settings: readonly ServerSetting[];
  readonly readiness: Readiness;
  readonly streams: () => number;
  readonly disk: () => Promise<Disk>;
  readonly openReports: (most: number) => Promise<number>;
  readonly history: StatusHistory;
}

export const statusAdminHandlers = (deps: StatusAdminDeps): AdminHandlers<StatusEndpoint> => ({
  async showStatus() {
    const [{ parts }, openReports, disk] = await Promise.all([
      deps.readiness(),
      deps.openReports(mostOpenReports + 1),
      deps.disk(),
    ]);
    return {
      version: deps.version,
      url: deps.url(),
      now: timeOf(deps.clock.now()),
      startedTime: timeOf(deps.startedTime),
      parts: Object.entries(parts).map(([name, state]) => ({ name, state })),
      streams: deps.streams(),
      openReports,
      disk: { freeBytes: disk.freeBytes, totalBytes: disk.totalBytes },
      everyMs: statusSampling.everyMs,
      samples: [...deps.history.samples()],
    };
  },
  listSettings: () => ({ settings: [...deps.settings] }),
});

const timeOf = (ms: number): string => new Date(ms).toISOString();
