// Keys of Letter Sealing (specification: End-to-end encryption keys).
export { type KeyDeps, keyHandlers } from './handlers.ts';
export { accountKeyOf, canSeal, isSealed, sealingChanged } from './sealing.ts';
export { sealingRules } from './sealing-rules.ts';
