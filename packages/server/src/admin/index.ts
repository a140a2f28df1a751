export { type AdminDeps, type AdminRoutes, adminRoutes, nextOf, operator } from './admin-routes.ts';
export { type Audit, createAudit } from './audit.ts';
export { Problem } from './problem.ts';
export { bodyReader, pageOf } from './requests.ts';
