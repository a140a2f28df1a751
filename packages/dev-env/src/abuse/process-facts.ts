// What the system knows of a process: memory, descriptors and time of the processor. Only Linux tells them.
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFacts {
  readonly residentBytes: number;
  readonly descriptors: number;
  readonly cpuSeconds: number;
}

const TICKS_PER_SECOND = 100;
const KIB = 1024;

/** Returns the facts of a process; undefined if it is gone, or if the system does not tell. */
export function factsOf(pid: number): ProcessFacts | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return {
      residentBytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * KIB,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      cpuSeconds: (user + system) / TICKS_PER_SECOND,
    };
  } catch {
    return undefined;
  }
}
