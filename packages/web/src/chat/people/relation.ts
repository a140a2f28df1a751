// What the record of a user says about the relation to this account.
import { type Contact, contactSettings, contactStatus } from '@sealpost/contract';

export const isFriend = ({ status }: Contact): boolean => status === contactStatus.FRIEND;

export const isBlocked = ({ status }: Contact): boolean =>
  status === contactStatus.FRIEND_BLOCKED || status === contactStatus.DELETED_BLOCKED;

/** Returns whether a user added this account, which has not answered. */
export const isRequest = ({ status }: Contact): boolean => status === contactStatus.RECOMMEND;

export const isOfficial = ({ capableBuddy }: Contact): boolean => capableBuddy;

export const isFavorite = ({ favoriteTime }: Contact): boolean => Number(favoriteTime) > 0;

export const isMuted = (contact: Contact): boolean => has(contact, 'CONTACT_SETTING_NOTIFICATION_DISABLE');

/** Returns whether the user took a contact out of the list of contacts. */
export const isHidden = (contact: Contact): boolean => has(contact, 'CONTACT_SETTING_CONTACT_HIDE');

const has = ({ settings }: Contact, setting: keyof typeof contactSettings): boolean =>
  (Number(settings) & contactSettings[setting]) !== 0;

/** Returns the name that this account uses for a contact. */
export const nameOfContact = ({ displayNameOverridden, displayName }: Contact): string =>
  displayNameOverridden || displayName;

/**
 * Returns what a one-to-one chat must say about the other side: that it is a stranger, or that it is blocked. Official
 * accounts may write without being asked.
 */
export function warningAbout(contact: Contact | undefined): 'stranger' | 'blocked' | undefined {
  if (!contact) return undefined;
  if (isBlocked(contact)) return 'blocked';
  return isFriend(contact) || isOfficial(contact) ? undefined : 'stranger';
}
