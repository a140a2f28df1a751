export { accountExportAdminHandlers } from './admin-routes.ts';
