// Service notices: the exports of the slice.
export { noticeAdminHandlers } from './admin-routes.ts';
export { createNotices, type Notices } from './notices.ts';
