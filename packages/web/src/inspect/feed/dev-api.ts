// Calls of the workbench API of the server that served this page.
import { createWorkbenchClient } from '@sealpost/testing/client';

export const dev = createWorkbenchClient(location.origin);

/** Error for an action that the page cannot do. Its message is shown to the user. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Returns the text to show for an error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
