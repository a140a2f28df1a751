// Creates a group chat of users.
import { openCalls } from './call.ts';
import type { User } from './request.ts';

/** Creates the group and returns its mid. */
export async function makeGroup(port: number, users: readonly User[]): Promise<string> {
  const [creator, ...others] = users as [User, ...User[]];
  const { chat } = await once<{ chat: { chatMid: string } }>(port, creator, 'createChat', {
    type: 0,
    name: 'bench',
    targetUserMids: others.map((user) => user.mid),
  });
  for (const user of others) await once(port, user, 'acceptChatInvitation', { chatMid: chat.chatMid });
  return chat.chatMid;
}

async function once<T>(
  port: number,
  user: User,
  name: 'createChat' | 'acceptChatInvitation',
  request: Readonly<Record<string, unknown>>,
): Promise<T> {
  const { call, close } = await openCalls(port, user);
  try {
    return await call<T>(`TalkService.${name}`, { reqSeq: Math.floor(Date.now() / 1000) & 0x3fffffff, ...request });
  } finally {
    close();
  }
}
