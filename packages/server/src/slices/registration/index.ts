// Registration: the exports of the slice.
export { registrationAdminHandlers } from './admin-routes.ts';
export { createChallenges } from './challenges.ts';
export { forgetInvites } from './forget-account.ts';
export { createInvites } from './invites.ts';
export { createRegistration, type RegistrationHandlers } from './registration.ts';
export { createRegistrationLimits } from './registration-limits.ts';
export { registrationRoutes } from './routes.ts';
