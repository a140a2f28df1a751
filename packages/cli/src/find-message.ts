import type { Message } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';
import { CliError, exitCodes } from './exit-codes.ts';

/** Returns the message with the given id, as the server stores it. Sealed content is not opened. */
export async function findMessage(client: RpcClient, id: string): Promise<Message> {
  const [message] = await client.TalkService.getMessagesByIds([messageId(id)]);
  if (message) return message;
  throw new CliError(`There is no message ${id} that you can read. Use --as if it is for another login.`);
}

/** Returns the message id that the user typed. Throws if the text is not a message id. */
export function messageId(text: string): string {
  if (/^\d{1,16}$/.test(text)) return text;
  throw new CliError(`"${text}" is not a message id: those are digits.`, exitCodes.usage);
}
