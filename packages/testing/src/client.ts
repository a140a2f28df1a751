// The client of the workbench API of a running server.
import {
  type WorkbenchArgs,
  type WorkbenchEndpointName,
  type WorkbenchResult,
  workbenchEndpoints,
  workbenchRoot,
} from '@sealpost/contract/workbench';
import { type CallArguments, createJsonClient, sendTo } from '@sealpost/sdk/admin';

export { AdminError as WorkbenchError } from '@sealpost/sdk/admin';

/**
 * One method for each endpoint of the workbench, with the endpoint's name. Each method takes one object with all
 * arguments by name. A refused call throws `WorkbenchError`; a call without an answer throws `NetworkError`.
 */
export type WorkbenchClient = {
  readonly [N in WorkbenchEndpointName]: (...args: CallArguments<WorkbenchArgs<N>>) => Promise<WorkbenchResult<N>>;
};

/** Creates the client. It sends nothing before the first call. */
export const createWorkbenchClient = (url: string): WorkbenchClient =>
  createJsonClient({
    root: workbenchRoot,
    endpoints: workbenchEndpoints,
    headers: {},
    send: sendTo(url),
  }) as WorkbenchClient;
