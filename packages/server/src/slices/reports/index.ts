// Reports of abuse (specification: Profile, settings, configuration; reportAbuseEx).
export { reportAdminHandlers } from './admin-routes.ts';
export { createReports, type Reports } from './reports.ts';
