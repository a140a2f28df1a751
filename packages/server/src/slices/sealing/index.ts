// Keys of Letter Sealing: the exports of the slice.
export { sealingAdminHandlers } from './admin-routes.ts';
export { type SealingDeps, sealingHandlers } from './handlers.ts';
export { accountKeyOf, canSeal, isSealed, sealingChanged } from './sealing.ts';
export { sealingRules } from './sealing-rules.ts';
