// Calls of the workbench API of the server that this page came from.
import { createWorkbenchClient } from '@sealpost/testing/client';

export const dev = createWorkbenchClient(location.origin);

/** Error for what the page cannot do. Its message is for people. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Returns what to show of an error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
