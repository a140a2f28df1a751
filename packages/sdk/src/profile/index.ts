// The account's own profile and its settings. The code of the profile is loaded at the first use.
import { deferred } from '../deferred.ts';
import type { ProfileDeps, ProfileVerbs } from './profile.ts';
import { AccountSettings } from './settings.ts';

export type { Cover } from './profile.ts';

export interface OwnProfile extends Pick<ProfileVerbs, keyof ProfileVerbs> {
  readonly settings: AccountSettings;
}

const VERBS = [
  'get',
  'update',
  'setDisplayName',
  'setStatusMessage',
  'setPicture',
  'removePicture',
  'cover',
  'coverPicture',
  'setCover',
  'removeCover',
] as const;

export const createOwnProfile = (deps: ProfileDeps): OwnProfile => ({
  settings: new AccountSettings(deps.rpc),
  ...deferred(VERBS, async () => new (await import('./profile.ts')).ProfileVerbs(deps)),
});
