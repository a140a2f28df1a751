// Keys of Letter Sealing (specification: End-to-end encryption keys).
export { type KeyDeps, keyHandlers } from './handlers.ts';
export { hasKeys, isSealed } from './sealing.ts';
