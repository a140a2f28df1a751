// Looks for a message of the outbox in the history of its chat.
import type { Message } from '@sealpost/contract';
import type { BaseClient } from '../base-client.ts';
import { GatewayError, isPassing } from '../gateway/errors.ts';

import { findNewer } from '../messaging/find-newer.ts';
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
    const { after } = firstAttempt;
    const isIt = (message: Message) => message.from === own && hasContentOf(prepared.outgoing, message);
    return await findNewer(client, chatMid, { after, pageSize }, isIt);
  } catch (error) {
    if (
      !(error instanceof GatewayError) ||
      isPassing(error) ||
      error.error === undefined ||
      client.session === undefined
    )
      throw error;
    return undefined;
  }
}
