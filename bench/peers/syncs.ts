// Counts calls of fsync and fdatasync of a process with strace, which writes a line for each.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandPath } from '../../scripts/debian-packages.ts';

export interface SyncCount {
  /** The command that must run the server. */
  readonly under: readonly string[];
  /** Returns how often the server has synchronized a file so far. */
  syncs(): number;
  end(): void;
}

/** Returns undefined if strace is not installed. */
export function countSyncs(): SyncCount | undefined {
  const strace = commandPath('strace');
  if (strace === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'sealpost-bench-strace-'));
  const file = path.join(folder, 'trace');
  return {
    // With a filter in the kernel, no other call of the server is stopped.
    under: [strace, '-f', '--seccomp-bpf', '-e', 'trace=fsync,fdatasync', '-e', 'signal=none', '-o', file],
    syncs: () => readFileSync(file, 'utf8').match(/\b(?:fsync|fdatasync)\(/g)?.length ?? 0,
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
