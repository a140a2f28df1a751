// Shows the progress of a transfer on one line of the terminal. Shows nothing with --json, or if standard error is not
// a terminal; the library of the bar is then not loaded.
import type { Progress, Retry } from '@sealpost/sdk';
import type { SingleBar } from 'cli-progress';
import { bytesText, durationText, type Output } from '../output.ts';
import { cut } from '../table.ts';

export interface ProgressBar {
  readonly onProgress: (progress: Progress) => void;
  readonly onRetry: (retry: Retry) => void;
  /** Changes the label. Called when the name of a file becomes known. */
  label(text: string): void;
  /** Returns the completed share of the transfer, in per cent. */
  percent(): number;
  /** Removes the line from the terminal. Called before anything else is printed. */
  end(): void;
}

/** The part of standard error that the bar needs. */
export type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

const BAR = 24;
const COLUMNS = 80;
/**
 * Maximum number of seconds that is shown as the remaining time. While the rate is unknown, the library gives a larger
 * number or infinity.
 */
const LONGEST_LEFT_S = 360_000;

export async function progressBar(
  output: Output,
  firstLabel: string,
  terminal: Terminal = process.stderr,
): Promise<ProgressBar> {
  const bar = terminal.isTTY && !output.json ? await createBar(terminal) : undefined;
  let last: Progress = { done: 0, total: 0 };
  let lost = false;
  let label = firstLabel;

  const clear = (): void => bar?.stop();
  return {
    label(text) {
      label = text;
    },
    percent: () => (last.total === 0 ? 100 : Math.floor((last.done / last.total) * 100)),
    onProgress(progress) {
      if (lost && progress.done > last.done) {
        lost = false;
        output.note('Continuing.');
      }
      last = progress;
      if (lost) return;
      if (bar && !bar.isActive) bar.start(progress.total, progress.done, { label });
      else bar?.update(progress.done, { label });
    },
    onRetry({ reason }) {
      if (lost) return;
      lost = true;
      clear();
      output.note(`${reason} Trying again.`);
    },
    end: clear,
  };
}

async function createBar(stream: Terminal): Promise<SingleBar> {
  const { default: library } = await import('cli-progress');
  return new library.SingleBar({
    stream,
    barsize: BAR,
    barCompleteChar: '#',
    barIncompleteChar: '-',
    clearOnComplete: true,
    // The library must not change the modes of the terminal, because a second Ctrl-C ends the program before it could
    // restore them.
    hideCursor: false,
    linewrap: true,
    gracefulExit: false,
    format: ({ barCompleteString = '', barIncompleteString = '', barsize = BAR }, state, { label }) => {
      const { progress, value, total, eta } = state;
      const filled = Math.round(progress * barsize);
      const line = barCompleteString.slice(0, filled) + barIncompleteString.slice(0, barsize - filled);
      const left = eta > 0 && eta < LONGEST_LEFT_S ? `  ${durationText(eta * 1000)} left` : '';
      const facts = `[${line}] ${Math.floor(progress * 100)} %  ${bytesText(value)} of ${bytesText(total)}${left}`;
      const width = (stream.columns ?? COLUMNS) - 1;
      const name = cut(label, width - facts.length - 2);
      return `${name}${name && '  '}${facts}`.slice(0, width);
    },
  });
}
