// Looks for a message of the outbox in the history of its chat.
import type { Message } from '@sealpost/contract';
import type { BaseClient } from '../base-client.ts';
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { isNewer } from '../replica/tables.ts';
import { historyPages } from '../sealing/history-pages.ts';
import { hasContentOf } from './echo.ts';
import type { Outgoing } from './outgoing.ts';

/**
 * Returns the message that the server stored after one of the attempts. Returns undefined if there is none, or if the
 * account may not read the chat any more.
 */
export async function findArrived(
  client: Pick<BaseClient, 'TalkService' | 'session'>,
  { chatMid, prepared, firstAttempt }: Outgoing,
  pageSize: number,
): Promise<Message | undefined> {
  if (!prepared || !firstAttempt) return undefined;
  const own = client.session?.mid;
  try {
    for await (const page of historyPages(client, chatMid, { pageSize })) {
      const newer = page.filter(({ id }) => isNewer(id, firstAttempt.after));
      const found = newer.find((message) => message.from === own && hasContentOf(prepared.outgoing, message));
      if (found || newer.length < page.length) return found;
    }
  } catch (error) {
    if (
      !(error instanceof GatewayError) ||
      isPassing(error) ||
      error.error === undefined ||
      client.session === undefined
    )
      throw error;
  }
  return undefined;
}
