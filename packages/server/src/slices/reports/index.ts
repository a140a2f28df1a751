// Abuse reports (reportAbuseEx): the exports of the slice.
export { reportAdminHandlers } from './admin-routes.ts';
export { createReports, forgetReports, type Reports } from './reports.ts';
