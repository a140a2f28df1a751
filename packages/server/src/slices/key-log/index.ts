// Key transparency: the append-only log of all registered keys.
export { type KeyLogDeps, keyLogHandlers } from './handlers.ts';
export { extendLog } from './tree.ts';
