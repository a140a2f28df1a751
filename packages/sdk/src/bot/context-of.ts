// Makes the context of an event, and reads the names and messages that the context needs.
import type { Client } from '../client.ts';
import type { StoredMessage } from '../replica/tables.ts';
import {
  EventContext,
  type EventDeps,
  FollowContext,
  InviteContext,
  MemberContext,
  MessageContext,
  PostbackContext,
  ReactionContext,
  ReadContext,
  UnsendContext,
} from './contexts.ts';
import { eventOf } from './event.ts';
import { personOf } from './people.ts';

/**
 * @param isLastTry true gives a message to the handlers even if its keys cannot be read now; otherwise an error is
 * thrown
 */
export async function contextOf(deps: EventDeps, me: string, isLastTry: boolean): Promise<EventContext> {
  const event = eventOf(deps.operation, me);
  const { chatMid } = event;
  const person = (mid: string) => personOf(deps.client, mid);
  switch (event.kind) {
    case 'message': {
      const message = await openedAgain(deps.client, event.message, isLastTry);
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
    case 'operation':
      return new EventContext(deps, chatMid);
  }
}

/** Tries a second time to open a message, if its keys could not be read when the message came. */
async function openedAgain(client: Client, message: StoredMessage, isLastTry: boolean): Promise<StoredMessage> {
  const isUnavailable = ({ sealing }: StoredMessage): boolean =>
    sealing.state === 'unopened' && sealing.reason === 'unavailable';
  if (!isUnavailable(message)) return message;
  const again = await client.sealing.open(message);
  if (isUnavailable(again) && !isLastTry) throw new Error(`the keys of message ${message.id} could not be read`);
  return again;
}
