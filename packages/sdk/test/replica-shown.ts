// What a page would show of an account, in a form that can be compared.
import { contactStatus } from '@sealpost/contract';
import type { Client } from '@sealpost/sdk';

export function shown({ replica }: Client) {
  const chats = [];
  for (const { name: _name, draft: _draft, last, ...chat } of replica.chats()) {
    // No operation tells members when an invitation is declined, or those who are only invited who comes and goes.
    const { members, invitees: _invitees, ...rest } = chat;
    chats.push({ ...rest, members: chat.invited ? [] : members.toSorted(), last: last?.id });
  }
  const friends = replica
    .contacts()
    // No operation tells when somebody else changes, or whether a contact has the account as a contact.
    .filter(({ status }) => status === contactStatus.FRIEND || status === contactStatus.FRIEND_BLOCKED)
    .map(({ relation: _relation, ...friend }) => friend)
    .sort((a, b) => (a.mid < b.mid ? -1 : 1));
  return {
    profile: replica.profile,
    settings: replica.settings,
    chats: chats.sort((a, b) => (a.mid < b.mid ? -1 : 1)),
    friends,
  };
}
