// Runs a transfer with a progress bar. If the user presses Ctrl-C, the same command can continue the transfer later.
import { CliError } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { stoppable } from '../stoppable.ts';
import { type ProgressBar, progressBar } from './progress-bar.ts';

export interface TransferControl extends ProgressBar {
  readonly signal: AbortSignal;
}

/**
 * Runs the transfer.
 * @param afterStop what a person can do who has stopped it
 * @throws CliError if the user stopped it
 */
export const transfer = <T>(
  output: Output,
  label: string,
  work: (control: TransferControl) => Promise<T>,
  afterStop = 'The same command continues from there.',
): Promise<T> =>
  stoppable(async (signal) => {
    const bar = await progressBar(output, label);
    try {
      return await work({ ...bar, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new CliError(`Stopped ${label} at ${bar.percent()} %. ${afterStop}`);
    } finally {
      bar.end();
    }
  });
