// Moves the content of a message into the sealed payload, and back. The section "Payload" of docs/letter-sealing.md
// describes the forms.
import { contentTypes, type Location, type Message, type OutgoingMessage } from '@sealpost/contract';
import type { SealableType, SealedPayloads } from '@sealpost/crypto';

/** The secret part of a picture, video, sound or file whose object was sealed. */
export interface SealedMedia {
  /** The 32 bytes from which the keys of the object are derived, in base64. */
  readonly keyMaterial: string;
  /** The file name; only a file has one. */
  readonly fileName?: string;
}

/** A message that the caller wants to send. `media` belongs to the content types image, video, audio and file. */
export type SealableMessage = Omit<OutgoingMessage, 'chunks'> & { readonly media?: SealedMedia };

type AnyPayload = Partial<SealedPayloads[0] & SealedPayloads[14] & SealedPayloads[15]>;

/** Metadata that move into the payload, because they would reveal content to the server if they stayed in the clear. */
const SECRET_METADATA = ['REPLACE', 'FILE_NAME', 'ENC_KM'] as const;
export const E2EE_VERSION = '2';

/** Returns the part of a message that is sealed; undefined if the message has no content for its type. */
export function payloadOf(type: SealableType, message: SealableMessage): SealedPayloads[SealableType] | undefined {
  if (type === contentTypes.NONE) return textPayload(message);
  if (type === contentTypes.LOCATION) return locationPayload(message.location);
  return message.media;
}

/** Returns the part of a message that stays in the clear. */
export function envelopeOf({
  text,
  location,
  contentPreview,
  media,
  contentMetadata = {},
  ...rest
}: SealableMessage): OutgoingMessage {
  const metadata = { ...contentMetadata, e2eeVersion: E2EE_VERSION };
  for (const name of SECRET_METADATA) delete (metadata as Record<string, string>)[name];
  return { ...rest, contentMetadata: metadata };
}

/** Returns the plain message, without the fields that only sealing uses. */
export function plainOf({ media, ...message }: SealableMessage): OutgoingMessage {
  return message;
}

/** Returns the message with the content of its payload, in the same fields as in a plain message. */
export function restored(message: Message, payload: SealedPayloads[SealableType]): Message & { media?: SealedMedia } {
  const { text, REPLACE, location, keyMaterial, fileName } = payload as AnyPayload;
  return {
    ...withoutContent(message),
    ...(text === undefined ? {} : { text }),
    ...(location === undefined ? {} : { location: location as Location }),
    ...(keyMaterial === undefined ? {} : { media: { keyMaterial, ...(fileName === undefined ? {} : { fileName }) } }),
    contentMetadata: {
      ...withoutContent(message).contentMetadata,
      ...(REPLACE === undefined ? {} : { REPLACE: JSON.stringify(REPLACE) }),
      ...(fileName === undefined ? {} : { FILE_NAME: fileName }),
    },
  };
}

/**
 * Removes content that is outside the sealed chunks and in the clear, because the sender of the chunks did not write
 * it.
 */
export function withoutContent({ text, location, contentPreview, ...message }: Message): Message {
  const { REPLACE, ...contentMetadata } = message.contentMetadata;
  return { ...message, contentMetadata };
}

function textPayload({ text, contentMetadata }: SealableMessage): SealedPayloads[0] | undefined {
  if (!text) return undefined;
  const replace = contentMetadata?.REPLACE;
  return replace === undefined ? { text } : { text, REPLACE: JSON.parse(replace) as object };
}

function locationPayload(location: Location | undefined): SealedPayloads[15] | undefined {
  if (location?.latitude === undefined || location.longitude === undefined) return undefined;
  return { location: location as SealedPayloads[15]['location'] };
}
