// Creates groups with the client as a member.
import { chatTypes } from '@sealpost/contract';
import type { Friend } from './friend.ts';
import type { Stage } from './stage.ts';

const JOIN = 'join each group that invites the account, with acceptChatInvitation';

/**
 * Creates a group of Ann and the other people, invites the client, and waits until the client has joined. Returns the
 * mid of the group.
 */
export async function joinedGroup(stage: Stage, ann: Friend, ...others: readonly Friend[]): Promise<string> {
  const { TalkService: talk } = ann.rpc;
  const targetUserMids = [stage.account.mid, ...others.map(({ mid }) => mid)];
  const { chat } = await talk.createChat({
    reqSeq: ann.rpc.nextReqSeq(),
    type: chatTypes.GROUP,
    name: 'Graded',
    targetUserMids,
  });
  for (const { rpc } of others) {
    await rpc.TalkService.acceptChatInvitation({ reqSeq: rpc.nextReqSeq(), chatMid: chat.chatMid });
  }
  await stage.reached(JOIN, async () => {
    const found = await talk.getChats({ chatMids: [chat.chatMid], withMembers: true, withInvitees: true });
    const members: unknown = found.chats[0]?.extra?.groupExtra?.memberMids ?? [];
    const mids = Array.isArray(members) ? members : Object.keys(members as object);
    return mids.includes(stage.account.mid) ? true : undefined;
  });
  return chat.chatMid;
}
