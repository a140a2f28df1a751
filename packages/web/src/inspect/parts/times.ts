// Formats times and sizes for the inspector.

/** Returns the time of day in an ISO time, with milliseconds. The server's times are in UTC. */
export const clockTime = (iso: string): string => iso.slice(11, 23);

export const dayAndTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

export function duration(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

export const bytes = (count: number): string =>
  count < 1000
    ? `${count} B`
    : count < 1_000_000
      ? `${(count / 1000).toFixed(1)} kB`
      : `${(count / 1e6).toFixed(1)} MB`;
