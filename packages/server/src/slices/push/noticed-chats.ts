// Decides which operations cause a push, and which chat the push names.
import {
  type AppendedType,
  contentTypes,
  midTypes,
  namedOperation,
  operationStatus,
  operationTypes,
  type Settings,
} from '@sealpost/contract';
import type { LoggedOperation } from '../../platform/stream/operation-log.ts';

/** The types of operations that can cause a push. Voice and video calls have no operation, so they cause no push. */
export const noticedTypes = [
  'RECEIVE_MESSAGE',
  'NOTIFIED_INVITE_INTO_CHAT',
  'NOTIFIED_INVITE_INTO_ROOM',
] as const satisfies readonly AppendedType[];

/** The settings that decide whether an operation causes a push. */
export type NoticeSettings = Pick<
  Settings,
  'notificationEnable' | 'notificationMuteExpiration' | 'notificationNewMessage' | 'notificationGroupInvitation'
>;

/** The newest operation of a chat that causes a push. */
export interface ChatNews {
  readonly chat: string;
  readonly revision: number;
  readonly createdTime: number;
}

/** Returns each chat with an operation that causes a push, and the newest such operation. */
export function noticedChats(
  operations: readonly LoggedOperation[],
  ownMid: string,
  settings: NoticeSettings,
  now: number,
): ChatNews[] {
  const chats = new Map<string, ChatNews>();
  if (!settings.notificationEnable || Number(settings.notificationMuteExpiration ?? 0) > now) return [];
  for (const operation of operations) {
    const isMessage = operation.type === operationTypes.RECEIVE_MESSAGE;
    if (!(isMessage ? settings.notificationNewMessage : settings.notificationGroupInvitation)) continue;
    const chat = isMessage ? chatOfMessage(operation) : chatOfInvitation(operation, ownMid);
    const { revision, createdTime } = operation;
    if (chat !== undefined) chats.set(chat, { chat, revision, createdTime });
  }
  return [...chats.values()];
}

/** Returns the chat of a message; undefined if the message causes no alert, or if it is a system message. */
function chatOfMessage({ status, body }: LoggedOperation): string | undefined {
  if (status === operationStatus.ALERT_DISABLED || body === null) return undefined;
  const message: { from: string; to: string; toType: number; contentType: number } = JSON.parse(body);
  if (message.contentType === contentTypes.CHATEVENT) return undefined;
  return message.toType === midTypes.USER ? message.from : message.to;
}

/**
 * Returns the chat that the account itself is invited to; undefined if somebody else is invited. Members of a chat also
 * get NOTIFIED_INVITE_INTO_CHAT for invitations of others.
 */
function chatOfInvitation({ type, param1, param2, param3 }: LoggedOperation, ownMid: string): string | undefined {
  const operation = namedOperation({
    type,
    ...(param1 !== null && { param1 }),
    ...(param2 !== null && { param2 }),
    ...(param3 !== null && { param3 }),
  });
  if (operation?.type === 'NOTIFIED_INVITE_INTO_CHAT')
    return operation.params.invitees.includes(ownMid) ? operation.params.chatMid : undefined;
  // Only the invited accounts get this operation, and it names all members but them.
  if (operation?.type === 'NOTIFIED_INVITE_INTO_ROOM') return operation.params.chatMid;
  return undefined;
}
