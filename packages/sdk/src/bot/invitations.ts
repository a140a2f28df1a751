// Accepts invitations into groups.
import type { Client } from '../client.ts';
import { GatewayError, isPassing } from '../gateway/errors.ts';
import type { BotLogger } from './logger.ts';

/** Joins a group. Does nothing if the account is a member already. */
export async function accept({ chats }: Client, chatMid: string): Promise<void> {
  try {
    await chats.accept(chatMid);
  } catch (error) {
    if (!(error instanceof GatewayError) || isPassing(error)) throw error;
    if (!(await chats.mids()).joined.includes(chatMid)) throw error;
  }
}

/** Joins a group. Returns false if the account may not, for example because the invitation was taken back. */
export async function acceptIfAllowed(client: Client, logger: BotLogger, chatMid: string): Promise<boolean> {
  try {
    await accept(client, chatMid);
    return true;
  } catch (error) {
    if (!(error instanceof GatewayError) || isPassing(error)) throw error;
    logger.problem(`the invitation into ${chatMid} cannot be accepted`, error);
    return false;
  }
}

/** Joins all groups into which the account is invited. */
export async function acceptWaiting(client: Client, logger: BotLogger): Promise<void> {
  for (const chatMid of (await client.chats.mids()).invited) await acceptIfAllowed(client, logger, chatMid);
}
