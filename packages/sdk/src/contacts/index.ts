// The methods for contacts. Their code is loaded at the first use.
import { deferred } from '../deferred.ts';
import type { ContactsDeps, Contacts as ContactVerbs } from './contacts.ts';

export type { ProfileNotice } from './contacts.ts';

export type Contacts = Pick<ContactVerbs, keyof ContactVerbs>;

const VERBS = [
  'findByUserid',
  'findByPhone',
  'get',
  'mids',
  'blocked',
  'favorites',
  'add',
  'addAll',
  'recommendations',
  'blockedRecommendations',
  'acceptRecommendation',
  'blockRecommendation',
  'block',
  'unblock',
  'rename',
  'setFavorite',
  'setMuted',
  'setHidden',
  'remove',
  'official',
  'officialProfile',
  'profileNotice',
] as const;

export const createContacts = (deps: ContactsDeps): Contacts =>
  deferred(VERBS, async () => new (await import('./contacts.ts')).Contacts(deps));
