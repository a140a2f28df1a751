// Keys of Letter Sealing (specification: End-to-end encryption keys).
export { type SealingDeps, sealingHandlers } from './handlers.ts';
export { accountKeyOf, canSeal, isSealed, sealingChanged } from './sealing.ts';
export { sealingRules } from './sealing-rules.ts';
