// getMessageReadRange: returns how far each member of a chat has read.
import { timeOfId } from '../../platform/kernel/ids.ts';
import type { Reader } from '../../platform/store/store.ts';
import { allSpansOf } from './conversation.ts';
import type { GroupChats } from './groups.ts';
import { newestVisible, oldestVisible } from './history.ts';
import * as q from './queries.ts';

/**
 * Returns the ranges of messages that each member has read, one range per time of membership. The viewer's own ranges
 * include messages that were kept from the other user. Ranges of others begin and end with a message that both have.
 */
export async function readRanges(reader: Reader, groups: GroupChats, chatId: number, viewerId: number) {
  const ranges: Record<string, { startMessageId: string; endMessageId: string; startTime: string; endTime: string }[]> =
    {};
  const boxes = await reader.all(q.boxesOfChat, chatId);
  const addRanges = async (box: q.BoxRow): Promise<void> => {
    const mid = (await reader.one(q.midOfAccount, box.account_id))?.mid;
    // Messages that the member removed from its own view still count as read.
    const spans = await allSpansOf(reader, groups, box, { asOthersSee: box.account_id !== viewerId });
    // Only one-to-one chats have messages that were kept from somebody.
    const isShared = box.peer_id !== null && box.account_id !== viewerId;
    const ownerId = isShared ? null : box.account_id;
    for (const { after, before } of spans) {
      const read = { after, before: Math.min(before, box.seen_message_id + 1) };
      const start = await oldestVisible(reader, chatId, ownerId, read);
      const end = isShared ? await newestVisible(reader, chatId, null, [read]) : read.before - 1;
      if (!mid || start === 0 || end < start) continue;
      ranges[mid] ??= [];
      ranges[mid].push({
        startMessageId: String(start),
        endMessageId: String(end),
        startTime: String(timeOfId(start)),
        endTime: String(timeOfId(end)),
      });
    }
  };
  await Promise.all(boxes.filter((box) => box.seen_message_id > 0).map(addRanges));
  return ranges;
}
