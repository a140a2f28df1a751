// Shows the progress of a transfer on one line of the terminal. It prints nothing if standard error is not a terminal,
// or with --json.
import { type Progress, type Retry, systemPorts } from '@sealpost/sdk';
import { bytesText, durationText, type Output } from '../output.ts';

export interface ProgressBar {
  readonly onProgress: (progress: Progress) => void;
  readonly onRetry: (retry: Retry) => void;
  /** Changes the label. Called when the name of a file becomes known. */
  label(text: string): void;
  /** Returns how much of the transfer is done, in per cent. */
  percent(): number;
  /** Removes the line from the terminal. Called before anything else is printed. */
  end(): void;
}

const BAR = 24;
const REDRAW_MS = 100;
/** The length of the time over which the transfer rate is measured, in milliseconds. */
const WINDOW_MS = 5000;

/** The part of standard error that the bar needs. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export function progressBar(output: Output, firstLabel: string, terminal: Terminal = process.stderr): ProgressBar {
  const shown = terminal.isTTY && !output.json;
  let last: Progress = { done: 0, total: 0 };
  let drawnAt = Number.NEGATIVE_INFINITY;
  let lost = false;
  let label = firstLabel;
  let samples: { at: number; done: number }[] = [];

  const percent = (): number => (last.total === 0 ? 100 : Math.floor((last.done / last.total) * 100));
  const clear = (): void => void (shown && terminal.write('\r\x1b[K'));

  function rate(now: number): number {
    samples.push({ at: now, done: last.done });
    samples = samples.filter(({ at }) => now - at <= WINDOW_MS);
    const [first] = samples;
    return first && now > first.at ? ((last.done - first.done) / (now - first.at)) * 1000 : 0;
  }

  function draw(): void {
    const now = systemPorts.clock.monotonic();
    if (!shown || (now - drawnAt < REDRAW_MS && last.done < last.total)) return;
    drawnAt = now;
    const perSecond = rate(now);
    const filled = Math.round((percent() / 100) * BAR);
    const bar = '#'.repeat(filled).padEnd(BAR, '-');
    const left = perSecond > 0 ? `  ${durationText(((last.total - last.done) / perSecond) * 1000)} left` : '';
    const line = `[${bar}] ${percent()} %  ${bytesText(last.done)} of ${bytesText(last.total)}  ${bytesText(perSecond)}/s${left}`;
    const width = (terminal.columns ?? 80) - 1;
    const name = label.slice(0, Math.max(width - line.length - 2, 0));
    terminal.write(`\r\x1b[K${`${name}${name && '  '}${line}`.slice(0, width)}`);
  }

  return {
    label(text) {
      label = text;
    },
    percent,
    onProgress(progress) {
      if (lost && progress.done > last.done) {
        lost = false;
        clear();
        output.note('Continuing.');
      }
      last = progress;
      draw();
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
