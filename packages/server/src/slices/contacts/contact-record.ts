// Users as the caller sees them. The status and relation of a user come from the caller's row about the user. This row
// also records whether the user added the caller.
import {
  type Contact,
  type ContactEntry,
  contactAttributes,
  contactRelations,
  contactSettings,
  contactStatus,
  friendRequestStatus,
  userStatus,
} from '@sealpost/contract';
import type { Reader } from '../../platform/store/store.ts';
import { sharedFields } from '../profile/index.ts';
import { type ContactRow, contactRecords } from './queries.ts';

/** Returns contact records by mid. Unknown mids are left out. */
export async function contactsByMid(
  reader: Reader,
  viewerId: number,
  mids: readonly string[],
): Promise<ReadonlyMap<string, Contact>> {
  const rows = await reader.each(
    contactRecords,
    [...new Set(mids)].map((mid) => [viewerId, mid]),
  );
  const byMid = new Map(rows.map((row) => [row.mid, contactFrom(row)]));
  return new Map([...new Set(mids)].flatMap((mid) => (byMid.has(mid) ? [[mid, byMid.get(mid) as Contact]] : [])));
}

export const contactEntry = (contact: Contact, now: number): ContactEntry => ({
  userStatus: userStatus.NORMAL,
  snapshotTimeMillis: String(now),
  contact,
  calendarEvents: { events: {} },
});

function contactFrom(row: ContactRow): Contact {
  const official = row.kind === 'official';
  const contact: Contact = {
    mid: row.mid,
    createdTime: String(row.added_time ?? 0),
    type: (row.type ?? 0) as Contact['type'],
    status: statusOf(row),
    relation: row.added === 1 && (row.added_by_time ?? 0) > 0 ? contactRelations.BOTH : contactRelations.ONEWAY,
    displayName: row.display_name,
    statusMessage: row.status_message,
    favoriteTime: String(row.favorite_time ?? 0),
    capableVoiceCall: false,
    capableVideoCall: false,
    capableMyhome: false,
    capableBuddy: official,
    attributes: official ? contactAttributes.OFFICIAL_ACCOUNT : 0,
    settings: String(settingsMask(row)),
    friendRequestStatus: row.refuse_friend_requests === 1 ? friendRequestStatus.UNAVAILABLE : friendRequestStatus.NONE,
    ...sharedFields(row.extra),
  };
  if (row.picture_path !== '') contact.picturePath = row.picture_path;
  if (row.name_override) contact.displayNameOverridden = row.name_override;
  if (row.ringtone) contact.friendRingtone = row.ringtone;
  if (row.ringback_tone) contact.friendRingbackTone = row.ringback_tone;
  return contact;
}

function statusOf(row: ContactRow): Contact['status'] {
  if (row.added === 1) return row.blocked === 1 ? contactStatus.FRIEND_BLOCKED : contactStatus.FRIEND;
  if (row.blocked === 1) return contactStatus.DELETED_BLOCKED;
  if (row.recommendation_blocked === 1) return contactStatus.RECOMMEND_BLOCKED;
  if (row.deleted === 1) return contactStatus.DELETED;
  return (row.added_by_time ?? 0) > 0 ? contactStatus.RECOMMEND : contactStatus.UNSPECIFIED;
}

function settingsMask(row: ContactRow): number {
  let mask = 0;
  if (row.muted === 1) mask |= contactSettings.CONTACT_SETTING_NOTIFICATION_DISABLE;
  if (row.name_override) mask |= contactSettings.CONTACT_SETTING_DISPLAY_NAME_OVERRIDE;
  if (row.hidden === 1) mask |= contactSettings.CONTACT_SETTING_CONTACT_HIDE;
  if ((row.favorite_time ?? 0) > 0) mask |= contactSettings.CONTACT_SETTING_FAVORITE;
  if (row.deleted === 1) mask |= contactSettings.CONTACT_SETTING_DELETE;
  if (row.ringtone) mask |= contactSettings.CONTACT_SETTING_FRIEND_RINGTONE;
  if (row.ringback_tone) mask |= contactSettings.CONTACT_SETTING_FRIEND_RINGBACK_TONE;
  return mask;
}
