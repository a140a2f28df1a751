// Object storage: the media of messages, and pictures of profiles, groups and homes.

export { countMedia, mediaAdminHandlers } from './admin-routes.ts';
export type { Covers } from './covers.ts';
export { createMedia, type Media, type MediaDeps, type MediaSettings } from './media.ts';
export { requireOwnObjects } from './own-objects.ts';
