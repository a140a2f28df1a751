// The changes that people make to their own account: the exports of the slice.
export { type OwnAccountDeps, ownAccountHandlers } from './handlers.ts';
