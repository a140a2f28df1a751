// Reads messages of a chat with their reactions in pages, newest first.
import { limits } from '@sealpost/contract';
import { type AnswerRoom, answerRoom } from '../../platform/rpc/answer-room.ts';
import type { Reader } from '../../platform/store/store.ts';
import type { Span } from './groups.ts';
import * as q from './queries.ts';

export interface Page {
  readonly chatId: number;
  readonly viewerId: number;
  readonly spans: readonly Span[];
  /** Limits the page to messages with a smaller id. */
  readonly before?: number;
  readonly limit: number;
  /** True if messages that the viewer sent are left out. */
  readonly receivedOnly?: boolean;
}

/**
 * Maximum number of messages that one query reads. This many messages of the largest size are as large as the largest
 * answer.
 */
export const ROWS_AT_ONCE = 100;

export interface ShownMessage {
  readonly id: number;
  readonly json: string;
}

/** Returns the messages of a page with their reactions, newest first. */
export async function readPage(
  reader: Reader,
  page: Page,
  room: AnswerRoom = answerRoom('messages'),
): Promise<ShownMessage[]> {
  const shown: ShownMessage[] = [];
  let { before } = page;
  while (shown.length < page.limit) {
    const limit = Math.min(ROWS_AT_ONCE, page.limit - shown.length);
    const rows = await rowsOf(reader, { ...page, limit, ...(before !== undefined && { before }) });
    for (const [i, json] of (await withReactions(reader, rows, page.viewerId)).entries()) {
      room.take(json);
      shown.push({ id: (rows[i] as q.MessageRow).id, json });
    }
    if (rows.length < limit) break;
    before = rows.at(-1)?.id;
  }
  return shown;
}

async function rowsOf(reader: Reader, page: Page): Promise<q.MessageRow[]> {
  const rows: q.MessageRow[] = [];
  for (const span of [...page.spans].reverse()) {
    const before = Math.min(span.before, page.before ?? Number.MAX_SAFE_INTEGER);
    const left = page.limit - rows.length;
    if (left <= 0) break;
    if (before <= span.after) continue;
    const range = [page.chatId, span.after, before, page.viewerId] as const;
    rows.push(
      ...(page.receivedOnly
        ? await reader.all(q.receivedBetween, ...range, page.viewerId, left)
        : await reader.all(q.messagesBetween, ...range, left)),
    );
  }
  return rows;
}

/** Returns messages of one chat as JSON with the reactions that the viewer sees, in the order of the rows. */
export async function withReactions(
  reader: Reader,
  rows: readonly q.MessageRow[],
  viewerId: number,
): Promise<string[]> {
  const reacted = rows.filter((row) => row.reacted);
  if (reacted.length === 0) return rows.map((row) => row.body);
  const ids = reacted.map((row) => row.id);
  const reactions = await reader.all(
    q.reactionsBetween,
    (reacted[0] as q.MessageRow).chat_id,
    Math.min(...ids),
    Math.max(...ids),
    viewerId,
  );
  const byMessage = Map.groupBy(reactions, (reaction) => reaction.message_id);
  return rows.map((row) => {
    const own = byMessage.get(row.id);
    return own ? `${row.body.slice(0, -1)},"reactions":[${own.map(reactionJson).join(',')}]}` : row.body;
  });
}

const reactionJson = ({ mid, created_time, reaction }: q.ReactionRow): string =>
  `{"fromUserMid":"${mid}","atMillis":"${created_time}","reactionType":${reaction}}`;

/**
 * Returns the id of the newest message that the viewer may read; 0 if there is none. With null as the viewer, only
 * messages count that were kept from nobody.
 */
export async function newestVisible(
  reader: Reader,
  chatId: number,
  viewerId: number | null,
  spans: readonly Span[],
): Promise<number> {
  for (const span of [...spans].reverse()) {
    const found = await reader.one(q.newestBetween, chatId, span.after, span.before, viewerId);
    if (found?.id) return found.id;
  }
  return 0;
}

/** Returns the id of the oldest such message within a span of ids; 0 if there is none. */
export async function oldestVisible(
  reader: Reader,
  chatId: number,
  viewerId: number | null,
  span: Span,
): Promise<number> {
  return (await reader.one(q.oldestBetween, chatId, span.after, span.before, viewerId))?.id ?? 0;
}

/**
 * Returns the number of messages after the read mark that count as unread, among the newest ones. A reader who was away
 * for long may have a million of them. Messages after `newest`, which came since it was read, do not count: a client
 * would count them again when their operations come.
 */
export async function unreadCount(
  reader: Reader,
  box: q.BoxRow,
  spans: readonly Span[],
  newest: number,
): Promise<number> {
  const { account_id: readerId, chat_id: chatId } = box;
  let left: number = limits.unreadCounted.value;
  let count = 0;
  for (const span of [...spans].reverse()) {
    const after = Math.max(span.after, box.seen_message_id);
    const before = Math.min(span.before, newest + 1);
    if (after >= before || left === 0) continue;
    const found = await reader.one(q.unreadBetween, readerId, readerId, chatId, after, before, left);
    count += found?.unread ?? 0;
    left -= found?.messages ?? 0;
  }
  return count;
}
