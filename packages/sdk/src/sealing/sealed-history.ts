// Looks in the server's history of a chat for sealed messages. A device that has just logged in has not opened any
// message yet, so it does not remember which chats were sealed before.
import type { Clock } from '@sealpost/contract/ports';
import type { BaseClient } from '../base-client.ts';
import { expiringCache } from './expiring-cache.ts';
import { historyPages } from './history-pages.ts';

export interface SealedHistory {
  /**
   * Returns whether one of the newest messages of a chat is sealed, even if this device cannot open it. The answer is
   * cached for an hour.
   */
  hasSealed(chatMid: string): Promise<boolean>;
  forgetAll(): void;
}

/** Number of newest messages that are looked at. More would delay the first message into a long chat too much. */
const MOST_MESSAGES = 1_000;
const ANSWER_MS = 60 * 60_000;

/** @param pageSizeOf returns how many messages one call asks for */
export function createSealedHistory(
  client: BaseClient,
  clock: Clock,
  pageSizeOf: () => Promise<number>,
): SealedHistory {
  const looked = expiringCache<boolean>(clock);

  async function look(chatMid: string): Promise<boolean> {
    const pageSize = await pageSizeOf();
    for await (const page of historyPages(client, chatMid, { count: MOST_MESSAGES, pageSize }))
      if (page.some(({ chunks }) => chunks?.length)) return true;
    return false;
  }

  return {
    hasSealed: (chatMid) => looked.get(chatMid, async () => ({ value: await look(chatMid), forMs: ANSWER_MS })),
    forgetAll: () => looked.forgetAll(),
  };
}
