// Judges the process of a server after an attack: its end, its log and its memory.
import type { ProcessFacts } from './process-facts.ts';

export interface SeenProcess {
  /** The facts after the first requests, and at the end, without garbage; undefined where the system does not tell. */
  readonly warm: ProcessFacts | undefined;
  readonly end: ProcessFacts | undefined;
  /** Everything that the process wrote during the attack. */
  readonly output: string;
  /** How the process ended; undefined while it runs. */
  readonly ended: string | undefined;
}

const MIB = 1024 * 1024;
/** Bytes by which memory may grow after the first requests, so that a leak of 500 bytes per request shows after 300,000. */
const MOST_GROWTH = 128 * MIB;
const ERROR_LEVEL = 50;
/** What Node writes about the debugger by which garbage is collected. */
const OF_DEBUGGER = /^Debugger (attached|ending)|^For help, see: /;

/** Returns the lines of a log from the level `error` on, and lines that are not of the log. */
export const errorLines = (output: string): string[] =>
  output.split('\n').flatMap((line) => {
    if (line.trim() === '' || OF_DEBUGGER.test(line)) return [];
    const level = Number(/^\{"level":(\d+),/.exec(line)?.[1]);
    return level < ERROR_LEVEL ? [] : [`the log has: ${line.slice(0, 2000)}`];
  });

export function faultsOfProcess({ warm, end, output, ended }: SeenProcess): string[] {
  const growth = warm && end ? end.residentBytes - warm.residentBytes : 0;
  return [
    ...errorLines(output),
    ...(ended === undefined ? [] : [`the server ended with ${ended}: ${output.slice(-2000)}`]),
    ...(growth > MOST_GROWTH ? [`the memory of the server grew by ${Math.round(growth / MIB)} MiB`] : []),
  ];
}
