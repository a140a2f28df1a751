// Sorts the members of a chat: the account itself first, then the others by name.
import type { Contact } from '@sealpost/contract';
import { nameOfContact } from '../../../people/relation.ts';

export function membersInOrder(
  members: readonly string[],
  me: string,
  contacts: ReadonlyMap<string, Contact>,
  locale: string,
): string[] {
  const { compare } = new Intl.Collator(locale);
  const name = (mid: string): string => {
    const contact = contacts.get(mid);
    return contact ? nameOfContact(contact) : '';
  };
  return members.toSorted((one, other) => {
    if (one === me || other === me) return one === me ? -1 : 1;
    return compare(name(one), name(other)) || (one < other ? -1 : 1);
  });
}
