// Reads the processor time and the resident memory of a process from the kernel. This works only on Linux. On other
// systems, these columns of the tables stay empty.
import { readdirSync, readFileSync } from 'node:fs';
import { median } from './statistics.ts';

const TICKS_PER_SECOND = 100;

/** Returns the processor time that all threads of the process have used so far, in seconds. */
export function cpuSeconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields?.[11]) + Number(fields?.[12])) / TICKS_PER_SECOND;
}

/** Returns the same for the processes that the process started and that have ended, in seconds. */
export function endedChildrenSeconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields?.[13]) + Number(fields?.[14])) / TICKS_PER_SECOND;
}

/** Returns the number of the process that started a process; NaN if the process has ended. */
export const parentOf = (pid: number): number => Number(statOf(pid)?.[1]);

/** Returns the processor time of a process together with that of the running processes that it started, in seconds. */
export const familyCpuSeconds = (pid: number): number =>
  familyOf(pid).reduce((sum, one) => sum + (cpuSeconds(one) || 0), 0);

/** Returns a process and the running processes that it started. */
export const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid)];

/** Returns a running process that the process started. */
export const childOf = (pid: number): number | undefined => childrenOf(pid)[0];

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);

export function residentKib(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(proc(pid, 'status') ?? '')?.[1]);
}

/** Waits until the memory of a process has stayed the same for a while, but at most ten seconds. */
export async function settled(pid: number): Promise<void> {
  const seen: number[] = [];
  for (let i = 0; i < 20; i++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    seen.push(residentKib(pid));
    const last = seen.slice(-4);
    if (last.length === 4 && Math.max(...last) - Math.min(...last) <= median(last) * 0.005) return;
  }
}

/** Returns the fields of the kernel's line about a process, from the third on. */
function statOf(pid: number): readonly string[] | undefined {
  const stat = proc(pid, 'stat');
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function proc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
