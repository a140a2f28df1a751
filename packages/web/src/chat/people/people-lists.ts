// Decides which people a list shows, and in which order.
import { type Contact, contactStatus } from '@sealpost/contract';
import type { ChatView } from '@sealpost/sdk';
import { folded } from '../../words/folded.ts';
import { isBlocked, isFavorite, isFriend, isHidden, isOfficial, isRequest, nameOfContact } from './relation.ts';

type Contacts = ReadonlyMap<string, Contact>;

export interface PeopleSection {
  readonly kind: 'favorites' | 'people' | 'official';
  readonly mids: readonly string[];
}

/** Returns true if a name contains all words of a query, in any order. */
export function matches(name: string, query: string): boolean {
  const words = folded(query.trim()).split(/\s+/u);
  const found = folded(name);
  return words.every((word) => found.includes(word));
}

function byName(locale: string): (one: Contact, other: Contact) => number {
  const { compare } = new Intl.Collator(locale);
  return (one, other) => compare(nameOfContact(one), nameOfContact(other));
}

/**
 * Returns the contacts to show: favourites, others, official accounts. Hidden contacts are shown only if a query finds
 * them.
 */
export function contactSections(contacts: Contacts, query: string, locale: string): readonly PeopleSection[] {
  const searching = query.trim() !== '';
  const found = [...contacts.values()]
    .filter((contact) => isFriend(contact) && (searching ? matchesContact(contact, query) : !isHidden(contact)))
    .sort(byName(locale));
  const mids = (fits: (contact: Contact) => boolean): string[] => found.filter(fits).map(({ mid }) => mid);
  const sections: PeopleSection[] = [
    { kind: 'favorites', mids: mids(isFavorite) },
    { kind: 'people', mids: mids((contact) => !isFavorite(contact) && !isOfficial(contact)) },
    { kind: 'official', mids: mids((contact) => !isFavorite(contact) && isOfficial(contact)) },
  ];
  return sections.filter((section) => section.mids.length > 0);
}

/**
 * Returns true if all words of a query are in a contact's own name or in the name that this account gave the contact.
 */
const matchesContact = ({ displayName, displayNameOverridden = '' }: Contact, query: string): boolean =>
  matches(`${displayNameOverridden} ${displayName}`, query);

/**
 * Returns the people to whom one can write, or whom one can invite: contacts that are not blocked. Hidden contacts are
 * included only if a query finds them.
 */
export function choosable(contacts: Contacts, query: string, locale: string, without?: ReadonlySet<string>): string[] {
  const compare = byName(locale);
  return [...contacts.values()]
    .filter((contact) => isFriend(contact) && !without?.has(contact.mid))
    .filter((contact) => (query.trim() === '' ? !isHidden(contact) : matchesContact(contact, query)))
    .sort((one, other) => Number(isFavorite(other)) - Number(isFavorite(one)) || compare(one, other))
    .map(({ mid }) => mid);
}

export const blockedMids = (contacts: Contacts, locale: string): string[] =>
  [...contacts.values()]
    .filter(isBlocked)
    .sort(byName(locale))
    .map(({ mid }) => mid);

/**
 * Returns the people who added this account, and the people whom the server recommends. If a person is in both
 * parameters, the record in `contacts` counts, because the server's list may be older.
 */
export function requestsAndRecommendations(
  contacts: Contacts,
  recommended: readonly Contact[],
): { readonly requests: readonly Contact[]; readonly recommendations: readonly Contact[] } {
  const known = new Map([...recommended.map((contact) => [contact.mid, contact] as const), ...contacts]);
  const requests = [...known.values()].filter(isRequest);
  const isNew = ({ mid }: Contact): boolean => {
    const contact = known.get(mid);
    return contact !== undefined && contact.status === contactStatus.UNSPECIFIED;
  };
  return { requests, recommendations: recommended.filter(isNew) };
}

/** Returns the groups that a user and this account are both in. */
export const groupsWith = (chats: ReadonlyMap<string, ChatView>, mid: string): string[] =>
  [...chats.values()]
    .filter(({ kind, members, invited }) => kind !== 'user' && !invited && members.includes(mid))
    .sort((one, other) => other.time - one.time)
    .map((chat) => chat.mid);
