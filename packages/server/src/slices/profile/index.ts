// Profile, settings and configuration: the exports of the slice.
export { forgetSettings, refusesDevices, settingsOf } from './account-settings.ts';
export { type ProfileDeps, profileHandlers } from './handlers.ts';
export { sharedFields } from './stored-profile.ts';
export { setPicture } from './update-profile.ts';
