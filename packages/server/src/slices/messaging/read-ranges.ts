// getMessageReadRange: returns how far each member of a chat has read.
import { timeOfId } from '../../platform/kernel/ids.ts';
import type { Reader } from '../../platform/store/store.ts';
import type { GroupChats } from './groups.ts';
import { newestVisible, oldestVisible } from './history.ts';
import * as q from './queries.ts';

interface Range {
  readonly mid: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the ranges of messages that each member has read, one range per time of membership. The viewer's own ranges
 * include messages that were kept from the other user. Ranges of others begin and end with a message that both have.
 * Messages that a member removed from its own view still count as read.
 */
export async function readRanges(reader: Reader, groups: GroupChats, box: q.BoxRow) {
  const found = await (box.peer_id === null ? rangesOfGroup(reader, groups, box) : rangesOfPair(reader, box));
  const ranges: Record<string, { startMessageId: string; endMessageId: string; startTime: string; endTime: string }[]> =
    {};
  for (const { mid, start, end } of found) {
    if (start === 0 || end < start) continue;
    ranges[mid] ??= [];
    ranges[mid].push({
      startMessageId: String(start),
      endMessageId: String(end),
      startTime: String(timeOfId(start)),
      endTime: String(timeOfId(end)),
    });
  }
  return ranges;
}

/** Returns the ranges of a group, in which no message is withheld from anybody. Each table is read once. */
async function rangesOfGroup(reader: Reader, groups: GroupChats, { chat_id: chatId }: q.BoxRow): Promise<Range[]> {
  const [readers, spans] = await Promise.all([reader.all(q.readersOfChat, chatId), groups.allSpans(reader, chatId)]);
  const read = readers.flatMap(({ account_id, mid, seen_message_id: seen }) =>
    (spans.get(account_id) ?? []).map(({ after, before }) => ({ mid, after, end: Math.min(before - 1, seen) })),
  );
  const afters = new Set(read.filter(({ after, end }) => end > after).map(({ after }) => after));
  const oldest = await reader.each(
    q.oldestAfter,
    [...afters].map((after) => [chatId, after]),
  );
  const starts = new Map(oldest.map(({ after, id }) => [after, id]));
  return read.map(({ mid, after, end }) => ({ mid, start: starts.get(after) ?? 0, end }));
}

async function rangesOfPair(reader: Reader, { chat_id: chatId, account_id: viewerId }: q.BoxRow): Promise<Range[]> {
  const ranges: Range[] = [];
  for (const { account_id: readerId, mid, seen_message_id: seen } of await reader.all(q.readersOfChat, chatId)) {
    const isShared = readerId !== viewerId;
    const ownerId = isShared ? null : readerId;
    const span = { after: 0, before: seen + 1 };
    const start = await oldestVisible(reader, chatId, ownerId, span);
    const end = isShared ? await newestVisible(reader, chatId, null, [span]) : seen;
    ranges.push({ mid, start, end });
  }
  return ranges;
}
