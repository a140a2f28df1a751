// Finds groups and rooms by name.
import { type Chat, isMid } from '@sealpost/contract';
import type { Verbs } from '@sealpost/sdk';
import { CliError } from './exit-codes.ts';

/**
 * Returns the groups and rooms of the account, including invitations. `invited` has the mids of groups that only invite
 * the account.
 */
export async function allGroups(verbs: Verbs['chats']): Promise<{ chats: Chat[]; invited: ReadonlySet<string> }> {
  const { joined, invited } = await verbs.mids();
  const chats = await verbs.get([...joined, ...invited]);
  return { chats: [...chats.values()], invited: new Set(invited) };
}

/** Returns the mid of a group or room, which the user names by its mid or its name. */
export async function resolveGroup(verbs: Verbs['chats'], chat: string): Promise<string> {
  if (isMid(chat)) return chat;
  const found = await groupNamed(verbs, chat);
  if (found === undefined)
    throw new CliError(`You are in no group called "${chat}" and not invited to one. See: sealpost group list`);
  return found;
}

/** Returns the mid of a user, group or room, which the user names by a mid, a user id, or the name of a group. */
export async function resolveAny({ chats, contacts }: Pick<Verbs, 'chats' | 'contacts'>, who: string): Promise<string> {
  if (isMid(who)) return who;
  const user = await contacts.findByUserid(who);
  if (user) return user.mid;
  const found = await groupNamed(chats, who);
  if (found === undefined)
    throw new CliError(`Nobody has the user id "${who}", and you are in no group of this name. Use a mid.`);
  return found;
}

async function groupNamed(verbs: Verbs['chats'], name: string): Promise<string | undefined> {
  const named = (await allGroups(verbs)).chats.filter((found) => found.chatName === name);
  if (named.length > 1)
    throw new CliError(`${named.length} groups are called "${name}". Use the mid; see: sealpost group list`);
  return named[0]?.chatMid;
}
