// Checks what a message may contain, and makes its JSON as stored and delivered (specification: Message).
import {
  ApiError,
  contentTypes,
  type Message,
  messageRelationTypes,
  midTypes,
  type OutgoingMessage,
  parseI64,
} from '@sealpost/contract';
import { isSealed, requireSealedForm } from './sealed-form.ts';

const STICKER_KEYS = ['STKID', 'STKPKGID', 'STKVER'] as const;

/** Content types that only an official account may send. */
const OFFICIAL_ONLY = new Set<number>([contentTypes.FLEX, contentTypes.RICH, contentTypes.HTML]);
const SERVER_ONLY = new Set<number>([contentTypes.CHATEVENT, contentTypes.POSTNOTIFICATION]);
export const MEDIA = new Set<number>([contentTypes.IMAGE, contentTypes.VIDEO, contentTypes.AUDIO, contentTypes.FILE]);

export function toTypeOf(mid: string): Message['toType'] {
  if (mid.startsWith('c')) return midTypes.GROUP;
  return mid.startsWith('r') ? midTypes.ROOM : midTypes.USER;
}

/**
 * Throws if fields of the message contradict each other, or if a required field is missing. The types of the fields
 * were checked before.
 */
export function requireContent(message: OutgoingMessage, senderMid: string, official: boolean): void {
  const type = message.contentType ?? contentTypes.NONE;
  if (message.from !== undefined && message.from !== '' && message.from !== senderMid) {
    throw new ApiError('ILLEGAL_ARGUMENT', 'message.from is not the mid of the caller');
  }
  if (SERVER_ONLY.has(type))
    throw new ApiError('ILLEGAL_ARGUMENT', `message.contentType ${type} is made by the server only`);
  if (OFFICIAL_ONLY.has(type) && !official) {
    throw new ApiError('INCOMPATIBLE_APP_VERSION', `message.contentType ${type} is for official accounts`);
  }
  if (isSealed(message)) requireSealedForm(message);
  else requirePlainForm(message, type);
  if (message.messageRelationType === messageRelationTypes.REPLY && parseI64(message.relatedMessageId) === undefined) {
    throw new ApiError('ILLEGAL_ARGUMENT', 'message.relatedMessageId is missing in a reply');
  }
}

function requirePlainForm(message: OutgoingMessage, type: number): void {
  const metadata = message.contentMetadata ?? {};
  if (type === contentTypes.NONE && !message.text && metadata.ORGCONTP === undefined) {
    throw new ApiError('ILLEGAL_ARGUMENT', 'message.text is empty');
  }
  if (type === contentTypes.LOCATION && message.location === undefined) {
    throw new ApiError('ILLEGAL_ARGUMENT', 'message.location is missing');
  }
  if (type === contentTypes.STICKER) {
    const missing = STICKER_KEYS.find((key) => !metadata[key]);
    if (missing) throw new ApiError('ILLEGAL_ARGUMENT', `message.contentMetadata.${missing} is missing`);
  }
  if (metadata.e2eeVersion !== undefined) {
    throw new ApiError('E2EE_INVALID_PROTOCOL', 'message.contentMetadata.e2eeVersion without chunks');
  }
}

/** The fields that the server adds to a sent message. */
export interface MessageFacts {
  readonly from: string;
  readonly id: number;
  readonly time: number;
  /** True if the object that the message names has been uploaded completely. */
  readonly hasObject: boolean;
}

/** Returns the message in the form in which every reader gets it. Fields that are not set are left out. */
export function storedMessage(message: OutgoingMessage, { from, id, time, hasObject }: MessageFacts): Message {
  const type = message.contentType ?? contentTypes.NONE;
  const stored: Message = {
    from,
    to: message.to,
    toType: toTypeOf(message.to),
    id: String(id),
    createdTime: String(time),
    deliveredTime: String(time),
    hasContent: MEDIA.has(type) ? hasObject : type !== contentTypes.NONE && type !== contentTypes.LOCATION,
    contentType: type,
    contentMetadata: message.contentMetadata ?? {},
    sessionId: 0,
  };
  if (isSealed(message)) stored.chunks = message.chunks as string[];
  else if (message.text) stored.text = message.text;
  if (message.location !== undefined) stored.location = message.location;
  if (message.contentPreview) stored.contentPreview = message.contentPreview;
  if (message.appExtensionType !== undefined) stored.appExtensionType = message.appExtensionType;
  const related = parseI64(message.relatedMessageId);
  if (related !== undefined && message.messageRelationType !== undefined) {
    stored.relatedMessageId = String(related);
    stored.messageRelationType = message.messageRelationType;
    stored.relatedMessageServiceCode = message.relatedMessageServiceCode ?? 1;
    if (message.messageRelationType === messageRelationTypes.REPLY && !isSealed(message)) {
      stored.contentMetadata = {
        ...stored.contentMetadata,
        message_relation_server_message_id: String(related),
        message_relation_service_code: '1',
        message_relation_type_code: 'reply',
      };
    }
  }
  return stored;
}

/** Returns what remains of an unsent message: sender, chat and times, without its content. */
export function tombstone(body: string, now: number): string {
  const { from, to, toType, id, createdTime, deliveredTime } = JSON.parse(body) as Message;
  const left: Message = {
    from,
    to,
    toType,
    id,
    createdTime,
    deliveredTime,
    hasContent: false,
    contentType: contentTypes.NONE,
    contentMetadata: { UNSENT: 'true', UPDATED_TIME: String(now) },
    sessionId: 0,
  };
  return JSON.stringify(left);
}
