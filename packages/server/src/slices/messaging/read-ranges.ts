// getMessageReadRange: returns how far each member of a chat has read.
import { timeOfId } from '../../platform/kernel/ids.ts';
import type { Reader } from '../../platform/store/store.ts';
import { spansOf } from './conversation.ts';
import type { GroupChats } from './groups.ts';
import { oldestVisible } from './history.ts';
import * as q from './queries.ts';

/** Returns the ranges of messages that each member has read, one range per time of membership. */
export async function readRanges(reader: Reader, groups: GroupChats, chatId: number) {
  const ranges: Record<string, { startMessageId: string; endMessageId: string; startTime: string; endTime: string }[]> =
    {};
  const boxes = await reader.all(q.boxesOfChat, chatId);
  const addRanges = async (box: q.BoxRow): Promise<void> => {
    const mid = (await reader.one(q.midOfAccount, box.account_id))?.mid;
    // Messages that the member removed from its own view still count as read.
    const spans = await spansOf(reader, groups, { ...box, removed_message_id: 0 });
    for (const span of spans) {
      const end = Math.min(box.seen_message_id, span.before - 1);
      const start = await oldestVisible(reader, chatId, box.account_id, span);
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
