// The rule for names of chats.
import { ApiError, limits } from '@sealpost/contract';

/** Returns the name if it is short enough. An empty name is allowed: clients then show the members' names. */
export function requireChatName(name: string): string {
  const length = [...name].length;
  const most = limits.chatName.value;
  if (length > most)
    throw new ApiError('INVALID_LENGTH', `the chat name has ${length} characters, at most ${most} fit`);
  return name;
}
