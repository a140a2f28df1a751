// Turns operations into the events of a bot: things that somebody else did.
import { contentTypes, namedOperation, operationTypes, predefinedReactionTypes } from '@sealpost/contract';
import type { Reaction } from '../messaging/messaging.ts';
import { chatOf, isUnsent, type StoredMessage } from '../replica/tables.ts';
import type { OpenedOperation } from '../sealing/sealing-client.ts';

/** Operations that the bot does not get: their first and their last revision. */
export interface Gap {
  readonly first: string;
  readonly last: string;
}

/** An event in a chat. For a one-to-one chat, `chatMid` is the mid of the other user. */
export type BotEvent = { readonly chatMid: string } & (
  | { readonly kind: 'message'; readonly message: StoredMessage }
  | { readonly kind: 'join'; readonly mid: string }
  | { readonly kind: 'leave'; readonly mid: string }
  | { readonly kind: 'invite'; readonly inviter: string }
  | { readonly kind: 'read'; readonly reader: string; readonly messageId: string }
  | {
      readonly kind: 'reaction';
      readonly reactor: string;
      readonly messageId: string;
      readonly reaction: Reaction | undefined;
    }
  | { readonly kind: 'unsend'; readonly messageId: string }
  | { readonly kind: 'postback'; readonly url: string; readonly messageId: string }
  | { readonly kind: 'follow' }
  | ({ readonly kind: 'gap' } & Gap)
  | { readonly kind: 'operation' }
);

/**
 * Returns the event that an operation means for the account `me`. What the account did itself is only an event of kind
 * `operation`.
 */
export function eventOf(operation: OpenedOperation, me: string): BotEvent {
  const { message, ...record } = operation;
  if (message) return eventOfMessage(operation.type, message, me);
  const named = namedOperation(record);
  switch (named?.type) {
    case 'NOTIFIED_JOIN_CHAT':
      if (named.params.mid === me) break;
      return { kind: 'join', ...named.params };
    case 'NOTIFIED_LEAVE_CHAT':
      return { kind: 'leave', chatMid: named.params.chatMid, mid: named.params.mid };
    case 'NOTIFIED_DELETE_OTHER_FROM_CHAT':
      // If another member is removed, the server also sends NOTIFIED_LEAVE_CHAT, which becomes the event.
      if (named.params.removed !== me) break;
      return { kind: 'leave', chatMid: named.params.chatMid, mid: me };
    case 'NOTIFIED_INVITE_INTO_CHAT':
      if (!named.params.invitees.includes(me)) break;
      return { kind: 'invite', chatMid: named.params.chatMid, inviter: named.params.inviter };
    case 'NOTIFIED_READ_MESSAGE':
      return { kind: 'read', ...named.params };
    case 'NOTIFIED_SEND_REACTION': {
      const { reactor, messageId } = named.params;
      return { kind: 'reaction', reactor, messageId, ...reactionIn(named.params.reaction, reactor) };
    }
    case 'NOTIFIED_DESTROY_MESSAGE':
      return { kind: 'unsend', chatMid: named.params.chatMid, messageId: named.params.messageId };
    case 'NOTIFIED_POSTBACK':
      return { kind: 'postback', ...named.params };
    case 'NOTIFIED_ADD_CONTACT':
      return { kind: 'follow', chatMid: named.params.mid };
  }
  return { kind: 'operation', chatMid: named && 'chatMid' in named.params ? named.params.chatMid : me };
}

/** Returns the event of a gap, or that of an operation if there is no gap. */
export const eventOrGap = (
  { operation, gap }: { readonly operation: OpenedOperation; readonly gap?: Gap | undefined },
  me: string,
): BotEvent => (gap ? { kind: 'gap', chatMid: me, ...gap } : eventOf(operation, me));

/**
 * Returns the event of a message. System messages of a group are only events of kind `operation`, because they repeat
 * what other operations say. So are messages that were unsent before they came, because nothing is left of them.
 */
function eventOfMessage(type: number, message: StoredMessage, me: string): BotEvent {
  const chatMid = chatOf(message, me);
  const received = type === operationTypes.RECEIVE_MESSAGE && message.from !== me;
  if (!received || message.contentType === contentTypes.CHATEVENT || isUnsent(message))
    return { kind: 'operation', chatMid };
  return { kind: 'message', chatMid, message };
}

interface ReactionChange {
  readonly chatMid?: string;
  readonly curr?: { readonly predefinedReactionType?: number; readonly paidReactionType?: Exclude<Reaction, string> };
}

function reactionIn(change: unknown, reactor: string): { chatMid: string; reaction: Reaction | undefined } {
  const { chatMid = reactor, curr } = (change ?? {}) as ReactionChange;
  const name = reactionNames.find((known) => predefinedReactionTypes[known] === curr?.predefinedReactionType);
  return { chatMid, reaction: name ?? curr?.paidReactionType };
}

const reactionNames = ['NICE', 'LOVE', 'FUN', 'AMAZING', 'SAD', 'OMG'] as const;
