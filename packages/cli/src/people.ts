// Finds the names of mids, and the mids of names.
import { isMid } from '@sealpost/contract';
import { GatewayError, type RpcClient } from '@sealpost/sdk';
import { CliError } from './exit-codes.ts';
import { oneLine } from './output.ts';

const SHORT = 8;
const PER_CALL = 100;

/** Display names by mid, fetched when they are first needed. */
export class People {
  readonly #client: RpcClient;
  readonly #names = new Map<string, string>();

  constructor(client: RpcClient) {
    this.#client = client;
  }

  /** Looks up the names of all these mids, many in one call. A mid without a name is shown by its first characters. */
  async learn(mids: readonly string[]): Promise<void> {
    const unknown = [...new Set(mids)].filter((mid) => !this.#names.has(mid));
    const users = unknown.filter((mid) => mid.startsWith('u'));
    const chats = unknown.filter((mid) => !mid.startsWith('u'));
    for (let at = 0; at < users.length; at += PER_CALL) await this.#learnUsers(users.slice(at, at + PER_CALL));
    for (let at = 0; at < chats.length; at += PER_CALL) await this.#learnChats(chats.slice(at, at + PER_CALL));
  }

  nameOf(mid: string): string {
    return this.#names.get(mid) ?? `${mid.slice(0, SHORT)}…`;
  }

  async #learnUsers(targetUserMids: string[]): Promise<void> {
    const { contacts } = await this.#client.TalkService.getContactsV2({ targetUserMids });
    for (const [mid, { contact }] of Object.entries(contacts)) {
      if (contact) this.#names.set(mid, oneLine(contact.displayNameOverridden || contact.displayName));
    }
  }

  async #learnChats(chatMids: string[]): Promise<void> {
    const { chats } = await this.#client.TalkService.getChats({ chatMids });
    for (const chat of chats) if (chat.chatName) this.#names.set(chat.chatMid, oneLine(chat.chatName));
  }
}

/** Returns the mid of a recipient. The user may type a mid or a user id. */
export async function resolveRecipient(client: RpcClient, to: string): Promise<string> {
  if (isMid(to)) return to;
  try {
    return (await client.TalkService.findContactByUserid(to)).mid;
  } catch (error) {
    if (error instanceof GatewayError && error.error === 'NOT_FOUND') {
      throw new CliError(`Nobody has the user id "${to}", or it cannot be used to find them. Use their mid.`);
    }
    throw error;
  }
}
