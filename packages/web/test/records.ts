// Records for tests of what the page decides.
import { type Contact, contactSettings, contactStatus } from '@sealpost/contract';
import type { ChatView, StoredMessage } from '@sealpost/sdk';

/** Returns the record of a contact of the account. */
export const contactOf = (mid: string, changes: Partial<Contact> = {}): Contact => ({
  mid,
  createdTime: '0',
  type: 0,
  status: contactStatus.FRIEND,
  relation: 0,
  displayName: mid,
  favoriteTime: '0',
  capableVoiceCall: false,
  capableVideoCall: false,
  capableMyhome: false,
  capableBuddy: false,
  attributes: 0,
  settings: '0',
  ...changes,
});

export const hidden = { settings: String(contactSettings.CONTACT_SETTING_CONTACT_HIDE) };

export const byMid = <T extends { readonly mid: string }>(...records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.mid, record]));

export const chatOf = (mid: string, changes: Partial<ChatView> = {}): ChatView => ({
  mid,
  kind: 'group',
  name: mid,
  members: [],
  invitees: [],
  invited: false,
  unread: 0,
  seenId: '0',
  time: 0,
  muted: false,
  favorite: false,
  hidden: false,
  ...changes,
});

export const messageOf = (id: string, changes: Partial<StoredMessage> = {}): StoredMessage =>
  ({
    id,
    from: 'u1',
    to: 'u0',
    contentType: 0,
    contentMetadata: {},
    createdTime: '0',
    sealing: { state: 'plain' },
    ...changes,
  }) as StoredMessage;
