// Shows users as a table.
import { type Contact, contactSettings, contactStatus } from '@sealpost/contract';
import { nameOf } from '../../enum-names.ts';
import { oneLine } from '../../output.ts';
import { table } from '../../table.ts';

/** The words that are printed for each status of a contact. */
const stateWords: Record<keyof typeof contactStatus, string> = {
  UNSPECIFIED: 'no contact',
  FRIEND: 'contact',
  FRIEND_BLOCKED: 'contact, blocked',
  RECOMMEND: 'recommended',
  RECOMMEND_BLOCKED: 'no longer recommended',
  DELETED: 'deleted',
  DELETED_BLOCKED: 'blocked',
};

export function stateOf({ status, settings, favoriteTime }: Contact): string {
  const words = stateWords[nameOf(contactStatus, status) ?? 'UNSPECIFIED'];
  const muted = (Number(settings) & contactSettings.CONTACT_SETTING_NOTIFICATION_DISABLE) !== 0;
  const hidden = (Number(settings) & contactSettings.CONTACT_SETTING_CONTACT_HIDE) !== 0;
  return [words, favoriteTime !== '0' && 'favourite', hidden && 'hidden', muted && 'muted'].filter(Boolean).join(', ');
}

export function contactTable(contacts: readonly Contact[]): string {
  if (contacts.length === 0) return 'Nobody.';
  const rows = contacts.map((contact) => [
    oneLine(contact.displayNameOverridden || contact.displayName),
    stateOf(contact),
    contact.mid,
  ]);
  return table(['NAME', 'STATE', 'MID'], rows);
}
