// The history of a chat, as the server has it.
import type { Message } from '@sealpost/contract';
import type { BaseClient } from '../base-client.ts';

/** The point in the history before which older messages are read. The time is left out if only the id is known. */
export type Boundary = Pick<Message, 'id'> & Partial<Pick<Message, 'deliveredTime'>>;

export interface HistoryOptions {
  /** Number of messages to return, counted from the newest; all if not given. */
  readonly count?: number;
  /** If given, only messages older than this one are returned. */
  readonly before?: Boundary | undefined;
  /** Maximum number of messages in one call. */
  readonly pageSize: number;
}

type HistoryCalls = Pick<BaseClient['TalkService'], 'getRecentMessagesV2' | 'getPreviousMessagesV2WithRequest'>;

export interface HistoryClient {
  readonly TalkService: HistoryCalls;
}

/** Yields messages in pages, the newest first. */
export async function* historyPages(
  client: HistoryClient,
  chatMid: string,
  { count = Number.POSITIVE_INFINITY, before, pageSize }: HistoryOptions,
): AsyncGenerator<readonly Message[], void, undefined> {
  let oldest: Boundary | undefined = before;
  for (let left = count; left > 0; ) {
    const page = await pageOf(client, chatMid, Math.min(left, pageSize), oldest);
    oldest = page.at(-1);
    if (oldest === undefined) return;
    yield page;
    left -= page.length;
  }
}

const pageOf = (client: HistoryClient, messageBoxId: string, messagesCount: number, before: Boundary | undefined) =>
  before === undefined
    ? client.TalkService.getRecentMessagesV2(messageBoxId, messagesCount)
    : client.TalkService.getPreviousMessagesV2WithRequest({
        messageBoxId,
        endMessageId: {
          messageId: before.id,
          ...(before.deliveredTime !== undefined && { deliveredTime: before.deliveredTime }),
        },
        messagesCount,
      });
