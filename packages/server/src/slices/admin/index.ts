export { type AdminDeps, type AdminRoutes, adminRoutes, nextOf, operator } from './admin-routes.ts';
export { type Audit, createAudit } from './audit.ts';
export { Problem, problemType } from './problem.ts';
export { bodyReader, pageOf } from './requests.ts';
