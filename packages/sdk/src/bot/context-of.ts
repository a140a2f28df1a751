// Makes the context of an event, and reads the names and messages that the context needs.
import type { Client } from '../client.ts';
import { isPassing } from '../gateway/errors.ts';
import type { StoredMessage } from '../replica/tables.ts';
import { waitsForServer } from '../sealing/opened-in-time.ts';
import {
  EventContext,
  type EventDeps,
  FollowContext,
  GapContext,
  InviteContext,
  MemberContext,
  MessageContext,
  PostbackContext,
  ReactionContext,
  ReadContext,
  UnsendContext,
} from './contexts.ts';
import { eventOrGap } from './event.ts';
import type { People } from './people.ts';

/** The error for an event whose context cannot be read now. Its handlers have not run. */
export class NotReadable extends Error {
  override readonly name = 'NotReadable';
}

/** @throws NotReadable if the server does not tell now what the context needs */
export async function contextOf(deps: EventDeps, people: People, me: string): Promise<EventContext> {
  try {
    return await readContext(deps, people, me);
  } catch (error) {
    if (!isPassing(error)) throw error;
    throw new NotReadable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function readContext(deps: EventDeps, people: People, me: string): Promise<EventContext> {
  const event = eventOrGap(deps, me);
  const { chatMid } = event;
  const person = people.find;
  switch (event.kind) {
    case 'message': {
      const message = await openedAgain(deps.client, event.message);
      return new MessageContext(deps, chatMid, message, await person(message.from));
    }
    case 'join':
    case 'leave':
      return new MemberContext(deps, chatMid, event.kind, await person(event.mid));
    case 'invite':
      return new InviteContext(deps, chatMid, await person(event.inviter));
    case 'read':
      return new ReadContext(deps, chatMid, await person(event.reader), event.messageId);
    case 'reaction':
      return new ReactionContext(deps, chatMid, await person(event.reactor), event.messageId, event.reaction);
    case 'unsend':
      return new UnsendContext(deps, chatMid, event.messageId);
    case 'postback':
      return new PostbackContext(deps, chatMid, event.url, event.messageId);
    case 'follow':
      return new FollowContext(deps, chatMid, await person(chatMid));
    case 'gap':
      return new GapContext(deps, chatMid, event);
    case 'operation':
      return new EventContext(deps, chatMid);
  }
}

/** Tries a second time to open a message, if it stayed closed for want of keys when it came. */
async function openedAgain(client: Client, message: StoredMessage): Promise<StoredMessage> {
  const { sealing } = message;
  if (sealing.state !== 'unopened' || sealing.waitsFor === undefined) return message;
  const again = await client.sealing.open(message);
  if (waitsForServer(again)) throw new NotReadable(`the keys of message ${message.id} could not be read`);
  return again;
}
