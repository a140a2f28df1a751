// Profile, settings and configuration (specification: Profile, settings, configuration).
export { forgetSettings, refusesDevices } from './account-settings.ts';
export { type ProfileDeps, profileHandlers } from './handlers.ts';
export { sharedFields } from './stored-profile.ts';
export { setPicture } from './update-profile.ts';
