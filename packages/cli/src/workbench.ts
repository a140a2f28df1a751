// The workbench of a developer's server on this machine.
import type { WorkbenchClient } from '@sealpost/testing/client';
import type { Command } from 'commander';
import { checkedUrl, defaultUrl } from './environment.ts';
import { CliError, exitCodes } from './exit-codes.ts';

export interface WorkbenchOptions {
  readonly url?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

export const withWorkbenchOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'address of a server that "sealpost dev" runs (or SEALPOST_URL)')
    .option('--data-dir <folder>', 'data folder of a server on this machine (or SEALPOST_DATA_DIR; default ./data)')
    .option('--json', 'print JSON');

/** Calls the workbench. If the server has no workbench, throws an error that says what to do. */
export async function atWorkbench<T>(
  options: WorkbenchOptions,
  work: (workbench: WorkbenchClient) => Promise<T>,
): Promise<T> {
  const url = workbenchUrl(options);
  const { createWorkbenchClient, WorkbenchError } = await import('@sealpost/testing/client');
  try {
    return await work(createWorkbenchClient(url));
  } catch (error) {
    if (!(error instanceof WorkbenchError)) throw error;
    // A server without a workbench answers as for any unknown path.
    if (error.status === 404 && !error.isProblem)
      throw new CliError(`The server at ${url} has no workbench. "sealpost dev" and the test kit have one.`);
    throw new CliError(`${error.detail}.`);
  }
}

/** Returns the address of the server: the given address, that of the data folder's server, or the default address. */
const workbenchUrl = ({ url = process.env.SEALPOST_URL, dataDir }: WorkbenchOptions): string =>
  url === undefined ? defaultUrl(dataDir) : checkedUrl(url);

/** Reads a whole number. @throws CliError */
export function wholeNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CliError(`${name} must be a whole number, not ${JSON.stringify(text)}.`, exitCodes.usage);
}
