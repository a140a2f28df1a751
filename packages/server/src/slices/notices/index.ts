// Service notices (specification: Operation stream, long polls, notices).
export { noticeAdminHandlers } from './admin-routes.ts';
export { createNotices, type Notices } from './notices.ts';
