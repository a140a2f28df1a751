export { requireAccount } from './account-handlers.ts';
export { type AdminDeps, adminRoutes, type OtherEndpoint } from './admin-routes.ts';
export { type Audit, createAudit } from './audit.ts';
export type { AdminCaller, AdminHandlers, CallerSession } from './call.ts';
export { type AdminCredentials, type AdminGateDeps, createAdminGate } from './gate.ts';
export { peopleAdminHandlers } from './people-handlers.ts';
