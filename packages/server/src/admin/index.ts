export { type AdminDeps, adminRoutes } from './admin-routes.ts';
export { type Audit, createAudit } from './audit.ts';
