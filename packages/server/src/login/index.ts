export type { LoginConfirmation } from './credential-login.ts';
export { type LoginDeps, loginHandlers } from './handlers.ts';
export { type RefreshAnswer, refreshRoute } from './token-refresh.ts';
