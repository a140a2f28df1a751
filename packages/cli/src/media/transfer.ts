// Runs a transfer with a progress bar. If the user presses Ctrl-C, the same command can continue the transfer later.
import { CliError } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { type ProgressBar, progressBar } from './progress-bar.ts';

export interface TransferControl extends ProgressBar {
  readonly signal: AbortSignal;
}

/**
 * Runs the transfer.
 * @throws CliError if the user stopped it
 */
export async function transfer<T>(
  output: Output,
  label: string,
  work: (control: TransferControl) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  // Each signal is handled only once, so a second Ctrl-C ends the program at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const bar = await progressBar(output, label);
  try {
    return await work({ ...bar, signal: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new CliError(`Stopped ${label} at ${bar.percent()} %. The same command continues from there.`);
  } finally {
    bar.end();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, onSignal);
  }
}
