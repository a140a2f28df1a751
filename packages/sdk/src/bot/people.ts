// The people and chats that handlers see.
import { midPrefix } from '@sealpost/contract';
import type { Client } from '../client.ts';

export interface Person {
  readonly mid: string;
  /** The name that the bot's account has for the person; an empty string if the server sends no name. */
  readonly name: string;
}

export interface BotChat {
  readonly mid: string;
  readonly kind: 'user' | 'group' | 'room';
  readonly name: string;
  /** The mids of the members, the bot among them. Empty while this device does not know the chat yet. */
  readonly members: readonly string[];
}

/** Returns a person by mid. Asks the server if the name is not on this device. */
export async function personOf({ replica, rpc }: Client, mid: string): Promise<Person> {
  const name = replica.nameOf(mid);
  if (name !== '') return { mid, name };
  const { contacts } = await rpc.TalkService.getContactsV2({ targetUserMids: [mid] });
  return { mid, name: contacts[mid]?.contact?.displayName ?? '' };
}

export function botChatOf({ replica }: Client, mid: string): BotChat {
  const { kind, name, members } = replica.chat(mid) ?? { kind: kindOf(mid), name: replica.nameOf(mid), members: [] };
  return { mid, kind, name, members };
}

function kindOf(mid: string): BotChat['kind'] {
  if (mid.startsWith(midPrefix.user)) return 'user';
  return mid.startsWith(midPrefix.room) ? 'room' : 'group';
}
