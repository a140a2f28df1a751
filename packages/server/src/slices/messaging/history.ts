// Reads messages of a chat with their reactions in pages, newest first.
import { limits } from '@sealpost/contract';
import { type AnswerRoom, answerRoom } from '../../platform/rpc/answer-room.ts';
import type { Reader } from '../../platform/store/store.ts';
import type { Span } from './groups.ts';
import * as q from './queries.ts';

export interface Page {
  /** The box of the account that reads. */
  readonly box: q.BoxRow;
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

/**
 * Maximum number of runs of withheld messages that one read passes over one by one, unless it shows messages between all
 * of them. With more runs, their messages are read too.
 */
const RUNS_AT_ONCE = 20;

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
    for (const [i, json] of (await withReactions(reader, rows, page.box.account_id)).entries()) {
      room.take(json);
      shown.push({ id: (rows[i] as q.MessageRow).id, json });
    }
    if (rows.length < limit) break;
    before = rows.at(-1)?.id;
  }
  return shown;
}

async function rowsOf(reader: Reader, page: Page): Promise<q.MessageRow[]> {
  const { chat_id: chatId, account_id: viewerId } = page.box;
  const rows: q.MessageRow[] = [];
  for await (const { after, before } of shownSpans(reader, page.box, page.spans, page.before)) {
    const left = page.limit - rows.length;
    const range = [chatId, after, before, viewerId] as const;
    rows.push(
      ...(page.receivedOnly
        ? await reader.all(q.receivedBetween, ...range, viewerId, left)
        : await reader.all(q.messagesBetween, ...range, left)),
    );
    if (rows.length >= page.limit) break;
  }
  return rows;
}

/**
 * Yields the spans without the runs of messages that are withheld from the box's owner, newest first. So a read costs
 * what its visible messages cost, however many messages somebody sends whom the owner has blocked.
 * @param end limits the spans to smaller ids
 * @param most the number of runs that are left out; further ones are inside the last spans
 */
async function* shownSpans(
  reader: Reader,
  { chat_id: chatId, withheld_by: senderId }: q.BoxRow,
  spans: readonly Span[],
  end = Number.MAX_SAFE_INTEGER,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Span> {
  let runs = 0;
  for (const { after, before: spanEnd } of [...spans].reverse()) {
    let before = Math.min(spanEnd, end);
    while (before > after + 1) {
      const looks = senderId !== null && runs++ < most;
      const run = looks ? await reader.one(q.runBelow, senderId, chatId, before - 1) : undefined;
      const start = Math.max(after, run?.last ?? 0);
      if (before > start + 1) yield { after: start, before };
      before = run ? run.after + 1 : 0;
    }
  }
}

/** Returns messages of one chat as JSON with the reactions that the viewer sees, in the order of the rows. */
export async function withReactions(
  reader: Reader,
  rows: readonly q.MessageRow[],
  viewerId: number,
): Promise<string[]> {
  const reacted = rows.filter((row) => row.reacted);
  if (reacted.length === 0) return rows.map((row) => row.body);
  const reactions = await reader.each(
    q.reactionsTo,
    reacted.map((row) => [row.chat_id, row.id, viewerId]),
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
    const id = await newestIn(reader, chatId, viewerId, span);
    if (id > 0) return id;
  }
  return 0;
}

async function newestIn(reader: Reader, chatId: number, viewerId: number | null, span: Span): Promise<number> {
  let { before } = span;
  for (let runs = 0; runs < RUNS_AT_ONCE; runs++) {
    const found = await reader.one(q.newestBetween, chatId, span.after, before);
    if (!found || !isWithheld(found, viewerId)) return found?.id ?? 0;
    before = (found.withheld_after ?? found.id - 1) + 1;
  }
  return (await reader.one(q.newestVisible, chatId, span.after, before, viewerId))?.id ?? 0;
}

/** Returns the id of the oldest such message within a span of ids; 0 if there is none. */
export async function oldestVisible(
  reader: Reader,
  chatId: number,
  viewerId: number | null,
  span: Span,
): Promise<number> {
  let { after } = span;
  for (let runs = 0; runs < RUNS_AT_ONCE; runs++) {
    const found = await reader.one(q.oldestBetween, chatId, after, span.before);
    if (!found || !isWithheld(found, viewerId)) return found?.id ?? 0;
    const { id, only_for: senderId, withheld_after: start } = found;
    const end = start === null ? undefined : await reader.one(q.endOfRun, senderId, chatId, start);
    after = end?.id ?? id;
  }
  return (await reader.one(q.oldestVisible, chatId, after, span.before, viewerId))?.id ?? 0;
}

const isWithheld = ({ only_for: onlyFor }: q.EdgeRow, viewerId: number | null): boolean =>
  onlyFor !== null && onlyFor !== viewerId;

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
  const unseen = spans.map(({ after, before }) => ({ after: Math.max(after, box.seen_message_id), before }));
  for await (const { after, before } of shownSpans(reader, box, unseen, newest + 1, RUNS_AT_ONCE)) {
    const found = await reader.one(q.unreadBetween, readerId, readerId, chatId, after, before, left);
    count += found?.unread ?? 0;
    left -= found?.messages ?? 0;
    if (left === 0) break;
  }
  return count;
}
