// Records the duration of each test file, to show which files make the run long.
import { relative } from 'node:path';

const LISTED = 12;

interface Ended {
  readonly name: string;
  readonly nesting: number;
  readonly details: { readonly type?: string | undefined; readonly duration_ms: number };
}

export interface FileTimes {
  readonly note: (summary: { readonly file: string | undefined; readonly duration_ms: number }) => void;
  /** Records a test file that did not run in a process of its own, but as one suite among others in a batch. */
  readonly noteInBatch: (ended: Ended) => void;
  /** Returns one line for each of the slowest files. */
  readonly slowest: () => string[];
}

export function fileTimes(root: string): FileTimes {
  const seconds = new Map<string, number>();
  return {
    note: ({ file, duration_ms }) => {
      if (file !== undefined) seconds.set(relative(root, file), duration_ms / 1000);
    },
    noteInBatch: ({ name, nesting, details }) => {
      if (nesting === 0 && details.type === 'suite' && name.endsWith('.test.ts'))
        seconds.set(name, details.duration_ms / 1000);
    },
    slowest: () =>
      [...seconds]
        .sort(([, one], [, other]) => other - one)
        .slice(0, LISTED)
        .map(([file, time]) => `${time.toFixed(1).padStart(7)} s  ${file}`),
  };
}
