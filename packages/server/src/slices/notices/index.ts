// Service notices (specification: Operation stream, long polls, notices).
export { noticeAdminRoutes } from './admin-routes.ts';
export { createNotices, type Notices } from './notices.ts';
