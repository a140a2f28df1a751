// The history of a chat, as the server has it.
import type { Message } from '@sealpost/contract';
import type { BaseClient } from '../base-client.ts';

const PAGE = 100;

/** Yields the newest `count` messages in pages, the newest first; with `before`, a message id, only older ones. */
export async function* historyPages(
  client: BaseClient,
  chatMid: string,
  count: number,
  before: string | undefined,
): AsyncGenerator<readonly Message[], void, undefined> {
  let oldest = before;
  for (let left = count; left > 0; ) {
    const page = await pageOf(client, chatMid, Math.min(left, PAGE), oldest);
    oldest = page.at(-1)?.id;
    if (oldest === undefined) return;
    yield page;
    left -= page.length;
  }
}

const pageOf = (client: BaseClient, messageBoxId: string, messagesCount: number, before: string | undefined) =>
  before === undefined
    ? client.TalkService.getRecentMessagesV2(messageBoxId, messagesCount)
    : client.TalkService.getPreviousMessagesV2WithRequest({
        messageBoxId,
        endMessageId: { messageId: before },
        messagesCount,
      });
