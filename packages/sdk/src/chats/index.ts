// The methods for groups and rooms. Their code is loaded at the first use.
import { deferred } from '../deferred.ts';
import type { ChatsDeps, Chats as ChatVerbs } from './chats.ts';

export type { ChatMembers, NewGroup } from './chats.ts';

export type Chats = Pick<ChatVerbs, keyof ChatVerbs>;

const VERBS = [
  'createGroup',
  'createRoom',
  'invite',
  'accept',
  'reject',
  'cancelInvitation',
  'leave',
  'removeMembers',
  'rename',
  'setPicture',
  'removePicture',
  'setMuted',
  'setFavorite',
  'setJoiningByTicket',
  'setTicket',
  'mids',
  'get',
  'rooms',
  'members',
] as const;

export const createChats = (deps: ChatsDeps): Chats =>
  deferred(VERBS, async () => new (await import('./chats.ts')).Chats(deps));
