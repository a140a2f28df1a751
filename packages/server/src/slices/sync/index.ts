// Operations by long poll: the exports of the slice.
export { createOperationPolls, type OperationPolls } from './fetch-ops.ts';
