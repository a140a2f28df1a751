// Counts the tests. A suite that contains other tests is not counted itself.

/** The part of the runner's events that is needed for counting. */
interface Report {
  readonly nesting: number;
  readonly file?: string;
  readonly skip?: boolean | string;
  readonly todo?: boolean | string;
  readonly details: { readonly type?: string | undefined };
}

export interface Counter {
  readonly passed: (report: Report) => void;
  readonly failed: (report: Report) => void;
  /** Counts a failure that belongs to no test. */
  readonly failedBeside: () => void;
  readonly good: () => boolean;
  readonly line: () => string;
}

export function counter(): Counter {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let failures = 0;
  /**
   * The levels of nesting at which tests were reported, for each file. A level is removed when the suite that contains
   * it is reported.
   */
  const levels = new Map<string, Set<number>>();

  const isLeaf = ({ nesting, file = '', details }: Report): boolean => {
    const seen = levels.get(file) ?? new Set();
    levels.set(file, seen.add(nesting));
    const hadInner = seen.delete(nesting + 1);
    return details.type !== 'suite' && !hadInner;
  };
  const count = (kind: 'passed' | 'failed', report: Report): void => {
    if (!isLeaf(report)) return;
    const left = report.skip !== undefined || report.todo !== undefined;
    counts[left ? 'skipped' : kind] += 1;
  };
  return {
    passed: (report) => count('passed', report),
    failed: (report) => {
      if (report.todo === undefined) failures += 1;
      count('failed', report);
    },
    failedBeside: () => {
      failures += 1;
      counts.failed += 1;
    },
    // A hook or a file can fail although no test failed. The whole run has then failed too, so the printed line must
    // show a failure.
    good: () => failures === 0 && counts.passed > 0,
    line: () => {
      const failed = Math.max(counts.failed, Math.min(failures, 1));
      const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
      return `${counts.passed} passed, ${failed} failed${skipped}`;
    },
  };
}
