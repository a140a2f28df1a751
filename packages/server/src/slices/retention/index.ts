// Retention: removes messages that are older than the setting message-days, or than the operator ordered.

export { retentionAdminHandlers } from './admin-routes.ts';
export { orderedBefore } from './orders.ts';
export { createRetention, type Retention, type RetentionDeps } from './retention.ts';
