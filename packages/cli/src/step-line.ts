// Shows on one line of the terminal which step of a long command is running. Shows nothing with --json, or if standard
// error is not a terminal.
import type { Output } from './output.ts';

interface Step {
  readonly what: string;
  readonly done: number;
  readonly all?: number;
}

export interface StepLine {
  readonly show: (step: Step) => void;
  /** Removes the line from the terminal. */
  end(): void;
}

/** Number of calls after which the line is updated during the same step. A new step is always shown. */
const EVERY = 50;

export function stepLine(
  output: Pick<Output, 'json'>,
  terminal: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number } = process.stderr,
): StepLine {
  if (!terminal.isTTY || output.json) return { show: () => {}, end: () => {} };
  let last = '';
  let calls = 0;
  return {
    show({ what, done, all }) {
      calls += 1;
      if (what === last && calls % EVERY !== 0 && done !== all) return;
      last = what;
      const text = `${what}${done > 0 ? `: ${done}${all === undefined ? '' : ` of ${all}`}` : ''}`;
      terminal.write(`\r\u001b[2K${text.slice(0, (terminal.columns ?? 80) - 1)}`);
    },
    end: () => void terminal.write('\r\u001b[2K'),
  };
}
