// The append-only log of all registered keys: the exports of the slice.
export { type KeyLogDeps, keyLogHandlers } from './handlers.ts';
export { extendLog } from './tree.ts';
