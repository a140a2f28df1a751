import type { Message } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';
import { CliError, exitCodes } from './exit-codes.ts';

/** Returns the message with the given id, as the server stores it. Sealed content is not opened. */
export async function findMessage(client: RpcClient, id: string): Promise<Message> {
  if (!/^\d{1,16}$/.test(id)) throw new CliError(`"${id}" is not a message id: those are digits.`, exitCodes.usage);
  const [message] = await client.TalkService.getMessagesByIds([id]);
  if (message) return message;
  throw new CliError(`There is no message ${id} that you can read. Use --as if it is for another login.`);
}
