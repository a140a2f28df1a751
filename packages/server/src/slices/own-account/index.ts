// What people change about their own account: the exports of the slice.
export { type OwnAccountDeps, ownAccountHandlers } from './handlers.ts';
