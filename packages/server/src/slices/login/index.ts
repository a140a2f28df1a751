export { loginAdminHandlers } from './admin-routes.ts';
export type { Approvals } from './approvals.ts';
export type { LoginConfirmation } from './credential-login.ts';
export { createLogin, type Login, type LoginDeps } from './handlers.ts';
export { qrPath } from './qr-login.ts';
export { type RefreshAnswer, refreshRoute } from './token-refresh.ts';
