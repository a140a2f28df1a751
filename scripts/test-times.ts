// Records how long each test file takes, to show which files make the run long.
import { relative } from 'node:path';

const LISTED = 12;

export interface FileTimes {
  readonly note: (summary: { readonly file: string | undefined; readonly duration_ms: number }) => void;
  /** One line for each of the slowest files. */
  readonly slowest: () => string[];
}

export function fileTimes(root: string): FileTimes {
  const seconds = new Map<string, number>();
  return {
    note: ({ file, duration_ms }) => {
      if (file !== undefined) seconds.set(relative(root, file), duration_ms / 1000);
    },
    slowest: () =>
      [...seconds]
        .sort(([, one], [, other]) => other - one)
        .slice(0, LISTED)
        .map(([file, time]) => `${time.toFixed(1).padStart(7)} s  ${file}`),
  };
}
