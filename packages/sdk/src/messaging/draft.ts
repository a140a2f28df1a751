// A message ready to send, with its reqSeq. Because of the reqSeq, the server stores the message only once, however
// often it is sent.
import {
  contentTypes,
  messageRelationTypes,
  midPrefix,
  midTypes,
  type OutgoingMessage,
  serviceCodes,
} from '@sealpost/contract';

/**
 * A message and its reqSeq. It is plain JSON, so it can be stored and sent again in a later run of the same session.
 */
export interface Draft {
  readonly reqSeq: number;
  readonly message: OutgoingMessage;
}

/**
 * Fills in the fields that the specification asks clients to send with a message. Fields that the message already has
 * are kept.
 */
export function draftOf(
  message: OutgoingMessage,
  made: { reqSeq: number; own: string | undefined; now: number },
): Draft {
  const { reqSeq, own, now } = made;
  return {
    reqSeq,
    message: {
      id: `local-${reqSeq}`,
      createdTime: String(now),
      ...(own === undefined ? {} : { from: own }),
      toType: toTypeOf(message.to),
      hasContent: hasContent(message.contentType),
      sessionId: 0,
      ...message,
    },
  };
}

/** Returns the kind of a chat, which the prefix of its mid tells. */
function toTypeOf(mid: string) {
  if (mid.startsWith(midPrefix.room)) return midTypes.ROOM;
  return mid.startsWith(midPrefix.group) ? midTypes.GROUP : midTypes.USER;
}

const WITHOUT_CONTENT: readonly number[] = [contentTypes.NONE, contentTypes.LOCATION];

/** Returns whether a message has content other than its text and place: media, a sticker, a contact. */
const hasContent = (type: number = contentTypes.NONE): boolean => !WITHOUT_CONTENT.includes(type);

/** Returns the fields that make a message a reply to another one; no fields if it is not a reply. */
export const answerTo = (relatedMessageId: string | undefined) =>
  relatedMessageId === undefined
    ? {}
    : {
        relatedMessageId,
        messageRelationType: messageRelationTypes.REPLY,
        relatedMessageServiceCode: serviceCodes.TALK,
      };
