// Reads everything that a server shows to an account about itself.
import type { Message, MessageBox, Operation } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';
import { readLog } from '../harness.ts';
import { attributeOf, type Player } from './calls.ts';
import type { Setting } from './commands.ts';

interface PageSizes {
  readonly boxesPerPage: number;
  readonly messagesPerPage: number;
}
/** Sizes with which most lists have several pages. */
const SMALL: PageSizes = { boxesPerPage: 3, messagesPerPage: 7 };
const SHOWN_SETTINGS: readonly Setting[] = [
  'privacyReceiveMessagesFromNotFriend',
  'privacySearchByUserid',
  'notificationEnable',
  'phoneRegistration',
];

export type AccountView = Awaited<ReturnType<typeof shownTo>>;

/** Returns everything that an account can read about itself. */
export async function shownTo(
  { client }: Player,
  everybody: readonly string[],
  messageIds: readonly string[],
  sizes = SMALL,
) {
  const { TalkService } = client;
  const operations: Operation[] = await readLog(client);
  const mids = await TalkService.getAllChatMids({ withMemberChats: true, withInvitedChats: true });
  const chatMids = [...mids.memberChatMids, ...mids.invitedChatMids];
  const boxes = await boxesOf(client, sizes);
  const histories: Record<string, Message[]> = {};
  const recent: Record<string, Message[]> = {};
  for (const { id } of boxes) {
    histories[id] = await historyOf(client, id, sizes);
    recent[id] = await TalkService.getRecentMessagesV2(id, 5);
  }
  const byIds: Message[] = [];
  for (let i = 0; i < messageIds.length; i += 100)
    byIds.push(...(await TalkService.getMessagesByIds(messageIds.slice(i, i + 100))));
  return {
    operations,
    mids,
    chats: (await TalkService.getChats({ chatMids, withMembers: true, withInvitees: true })).chats,
    rooms: await TalkService.getRoomsV2(mids.memberChatMids.filter((mid) => mid.startsWith('r'))),
    boxes,
    byId: await TalkService.getMessageBoxesByIds({
      messageBoxIds: boxes.map(({ id }) => id),
      withUnreadCount: true,
      lastMessagesCount: 3,
    }),
    histories,
    recent,
    byIds,
    readRanges: await TalkService.getMessageReadRange(boxes.map(({ id }) => id)),
    contacts: await TalkService.getAllContactIds(),
    blocked: await TalkService.getBlockedContactIds(),
    blockedRecommendations: await TalkService.getBlockedRecommendationIds(),
    recommendations: await TalkService.getRecommendationIds(),
    favorites: await TalkService.getFavoriteMids(),
    records: (await TalkService.getContactsV2({ targetUserMids: [...everybody] })).contacts,
    profile: await TalkService.getProfile(),
    settings: await TalkService.getSettingsAttributes2(SHOWN_SETTINGS.map(attributeOf)),
  };
}

async function boxesOf({ TalkService }: RpcClient, { boxesPerPage }: PageSizes): Promise<MessageBox[]> {
  const found: MessageBox[] = [];
  for (let minChatId: string | undefined; ; ) {
    const page = await TalkService.getMessageBoxes({
      withUnreadCount: true,
      messageBoxCountLimit: boxesPerPage,
      lastMessagesPerMessageBoxCount: 2,
      ...(minChatId !== undefined && { minChatId }),
    });
    found.push(...page.messageBoxes);
    minChatId = page.messageBoxes.at(-1)?.id;
    if (!page.hasNext) return found;
  }
}

/** Returns all messages of a chat, the oldest first. */
async function historyOf({ TalkService }: RpcClient, chat: string, { messagesPerPage }: PageSizes): Promise<Message[]> {
  const found: Message[] = [];
  for (let end: { messageId: string; deliveredTime: string } | undefined; ; ) {
    const page = await TalkService.getPreviousMessagesV2WithRequest({
      messageBoxId: chat,
      messagesCount: messagesPerPage,
      ...(end && { endMessageId: end }),
    });
    found.push(...page);
    const last = page.at(-1);
    if (!last || page.length < messagesPerPage) return found.reverse();
    end = { messageId: last.id, deliveredTime: last.deliveredTime };
  }
}
