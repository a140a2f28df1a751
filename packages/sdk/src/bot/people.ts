// The people and chats that handlers see.
import { contactStatus, midPrefix } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
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

/** The relations in which the account is told of changes of a name. */
const TOLD: ReadonlySet<number> = new Set([contactStatus.FRIEND, contactStatus.FRIEND_BLOCKED]);
/** Milliseconds after which the name of a person who is not a contact is read again. */
const FRESH_MS = 3_600_000;
/** Maximum number of people whose names are kept. */
const KEPT = 10_000;

export interface People {
  /** Returns a person by mid. The name of a person who is not a contact is at most an hour old, if the server answers. */
  find(mid: string): Promise<Person>;
}

/** @param clientOf returns the client of the bot, which exists from the start on */
export function createPeople(clientOf: () => Client, clock: Clock): People {
  const read = new Map<string, { readonly name: string; readonly time: number }>();

  async function readName(mid: string): Promise<string> {
    const kept = read.get(mid);
    if (kept && clock.now() - kept.time < FRESH_MS) return kept.name;
    const { contacts } = await clientOf().rpc.TalkService.getContactsV2({ targetUserMids: [mid] });
    const name = contacts[mid]?.contact?.displayName ?? '';
    read.delete(mid);
    read.set(mid, { name, time: clock.now() });
    for (const oldest of read.keys()) {
      if (read.size <= KEPT) break;
      read.delete(oldest);
    }
    return name;
  }

  return {
    async find(mid) {
      const { replica } = clientOf();
      const known = replica.nameOf(mid);
      const status = replica.contact(mid)?.status;
      if (known !== '' && (status === undefined || TOLD.has(status))) return { mid, name: known };
      try {
        return { mid, name: await readName(mid) };
      } catch (error) {
        if (known === '') throw error;
        return { mid, name: known };
      }
    },
  };
}

export function botChatOf({ replica }: Client, mid: string): BotChat {
  const { kind, name, members } = replica.chat(mid) ?? { kind: kindOf(mid), name: replica.nameOf(mid), members: [] };
  return { mid, kind, name, members };
}

function kindOf(mid: string): BotChat['kind'] {
  if (mid.startsWith(midPrefix.user)) return 'user';
  return mid.startsWith(midPrefix.room) ? 'room' : 'group';
}
