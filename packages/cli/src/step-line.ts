// Shows on one line of the terminal what a long command does now. Shows nothing with --json, or if standard error is
// not a terminal.
import type { Output } from './output.ts';

interface Step {
  readonly what: string;
  readonly done: number;
  readonly all?: number;
}

export interface StepLine {
  readonly show: (step: Step) => void;
  /** Removes the line. */
  end(): void;
}

/** A step is shown when it is a new one, or after this many calls. */
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
