// Reads the relation between a user and this account from the record of the user.
import { type Contact, contactSettings, contactStatus } from '@sealpost/contract';

export const isFriend = ({ status }: Contact): boolean => status === contactStatus.FRIEND;

export const isBlocked = ({ status }: Contact): boolean =>
  status === contactStatus.FRIEND_BLOCKED || status === contactStatus.DELETED_BLOCKED;

/** Returns true if a user has added this account, and this account has not answered yet. */
export const isRequest = ({ status }: Contact): boolean => status === contactStatus.RECOMMEND;

export const isOfficial = ({ capableBuddy }: Contact): boolean => capableBuddy;

export const isFavorite = ({ favoriteTime }: Contact): boolean => Number(favoriteTime) > 0;

export const isMuted = (contact: Contact): boolean => has(contact, 'CONTACT_SETTING_NOTIFICATION_DISABLE');

/** Returns true if this account has hidden a contact from its list of contacts. */
export const isHidden = (contact: Contact): boolean => has(contact, 'CONTACT_SETTING_CONTACT_HIDE');

const has = ({ settings }: Contact, setting: keyof typeof contactSettings): boolean =>
  (Number(settings) & contactSettings[setting]) !== 0;

/** Returns the name that this account uses for a contact. */
export const nameOfContact = ({ displayNameOverridden, displayName }: Contact): string =>
  displayNameOverridden || displayName;

/**
 * Returns the warning that a one-to-one chat shows: the other person is a stranger, or is blocked. Official accounts do
 * not count as strangers.
 */
export function warningAbout(contact: Contact | undefined): 'stranger' | 'blocked' | undefined {
  if (!contact) return undefined;
  if (isBlocked(contact)) return 'blocked';
  return isFriend(contact) || isOfficial(contact) ? undefined : 'stranger';
}
