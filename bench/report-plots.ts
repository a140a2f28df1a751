// Draws what `npm run bench` has measured at several sizes: the growing store, and open streams.
import type { Report } from './report.ts';
import type { Plot } from './web/figures.ts';

export function plotsOf({ growth, memory }: Pick<Report, 'growth' | 'memory'>): Plot[] {
  const plots: Plot[] = [];
  if (growth.length > 0)
    plots.push({
      file: 'growth',
      title: 'Processor time of a send, by the messages that are stored',
      x: 'messages stored',
      y: 'µs',
      powers: 'x',
      curves: [{ name: 'SQLite, 64 in flight', points: growth.map(({ stored, cpuMicros }) => [stored, cpuMicros]) }],
    });
  if (memory)
    plots.push({
      file: 'streams',
      title: 'Resident memory of the server, by its open streams',
      x: 'streams',
      y: 'MiB',
      curves: [{ name: 'idle streams', points: memory.steps }],
    });
  return plots;
}
