export { requireAccount } from './account-handlers.ts';
export { type AdminDeps, adminRoutes, type OtherEndpoint } from './admin-routes.ts';
export { type Audit, createAudit } from './audit.ts';
export { type AdminHandlers, operator } from './call.ts';
export { nextOf, pageOf } from './input.ts';
export { Problem, problemType } from './problem.ts';
