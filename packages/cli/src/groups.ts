// Groups and rooms: finds them by name, and changes their attributes.
import { type Chat, type ChatUpdate, isMid, limits, updateChatAttributes } from '@sealpost/contract';
import { GatewayError, type RpcClient } from '@sealpost/sdk';
import { CliError } from './exit-codes.ts';

/** Returns the groups and rooms of the account, and the mids of those that it is only invited to. */
export async function allGroups({ TalkService }: RpcClient): Promise<{ chats: Chat[]; invited: ReadonlySet<string> }> {
  const { memberChatMids, invitedChatMids } = await TalkService.getAllChatMids({
    withMemberChats: true,
    withInvitedChats: true,
  });
  const mids = [...memberChatMids, ...invitedChatMids];
  const chats: Chat[] = [];
  const size = limits.midsPerCall.value;
  for (let at = 0; at < mids.length; at += size) {
    const page = await TalkService.getChats({ chatMids: mids.slice(at, at + size), withMembers: true });
    chats.push(...page.chats);
  }
  return { chats, invited: new Set(invitedChatMids) };
}

/** Returns the mid of a group or room. The user may type its mid or its name. */
export async function resolveGroup(client: RpcClient, chat: string): Promise<string> {
  if (isMid(chat)) return chat;
  const found = await groupNamed(client, chat);
  if (found === undefined)
    throw new CliError(`You are in no group called "${chat}" and not invited to one. See: sealpost group list`);
  return found;
}

/** Returns the mid of a user, group or room. The user may type a mid, a user id, or the name of a group. */
export async function resolveAny(client: RpcClient, who: string): Promise<string> {
  if (isMid(who)) return who;
  try {
    return (await client.TalkService.findContactByUserid(who)).mid;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.error !== 'NOT_FOUND') throw error;
  }
  const found = await groupNamed(client, who);
  if (found === undefined)
    throw new CliError(`Nobody has the user id "${who}", and you are in no group of this name. Use a mid.`);
  return found;
}

async function groupNamed(client: RpcClient, name: string): Promise<string | undefined> {
  const named = (await allGroups(client)).chats.filter((found) => found.chatName === name);
  if (named.length > 1)
    throw new CliError(`${named.length} groups are called "${name}". Use the mid; see: sealpost group list`);
  return named[0]?.chatMid;
}

type ChangeOf = Omit<ChatUpdate, 'chatMid'>;

/** Changes the attribute of a chat that the bit selects. */
export const changeGroup = (
  client: RpcClient,
  chatMid: string,
  attribute: keyof typeof updateChatAttributes,
  change: ChangeOf,
): Promise<unknown> =>
  client.TalkService.updateChat({
    reqSeq: client.nextReqSeq(),
    chat: { chatMid, ...change },
    updatedAttribute: updateChatAttributes[attribute],
  });

export const renameGroup = (client: RpcClient, chatMid: string, chatName: string): Promise<unknown> =>
  changeGroup(client, chatMid, 'NAME', { chatName });
