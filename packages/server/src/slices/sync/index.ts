// Operations by polling, for clients that do not open the stream.
export { createOperationPolls, type OperationPolls } from './fetch-ops.ts';
