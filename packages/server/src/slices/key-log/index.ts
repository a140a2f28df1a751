// The append-only log of all registered keys: the exports of the slice.
export { type KeyLogDeps, keyLogHandlers } from './handlers.ts';
export { createHeadSigner } from './head-signer.ts';
export type { LoggedKeyRow } from './queries.ts';
export { extendLog, leafOf, nodesFrom } from './tree.ts';
