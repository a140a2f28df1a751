// Reports of abuse (specification: Profile, settings, configuration; reportAbuseEx).
export { reportAdminRoutes } from './admin-routes.ts';
export { createReports, type Reports } from './reports.ts';
