// What of a message goes into the sealed payload, and back. docs/letter-sealing.md, Payload, has the forms.
import { contentTypes, type Location, type Message, type OutgoingMessage } from '@sealpost/contract';
import type { SealableType, SealedPayloads } from '@sealpost/crypto';

/** The secret half of a picture, video, sound or file whose object was sealed. */
export interface SealedMedia {
  /** Base64 of the 32 bytes that the keys of the object are derived from. */
  readonly keyMaterial: string;
  /** A file has one. */
  readonly fileName?: string;
}

/** A message as it is given to be sent. `media` goes with the content types image, video, audio and file. */
export type SealableMessage = Omit<OutgoingMessage, 'chunks'> & { readonly media?: SealedMedia };

type AnyPayload = Partial<SealedPayloads[0] & SealedPayloads[14] & SealedPayloads[15]>;

/** Metadata that the payload holds, and that would tell it to the server. */
const SECRET_METADATA = ['REPLACE', 'FILE_NAME', 'ENC_KM'] as const;
export const E2EE_VERSION = '2';

/** The sealed part; undefined for a message of a sealable type that has nothing to seal. */
export function payloadOf(type: SealableType, message: SealableMessage): SealedPayloads[SealableType] | undefined {
  if (type === contentTypes.NONE) return textPayload(message);
  if (type === contentTypes.LOCATION) return locationPayload(message.location);
  return message.media;
}

/** The part that stays in the clear. */
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

/** A plain message: without what belongs to sealing only. */
export function plainOf({ media, ...message }: SealableMessage): OutgoingMessage {
  return message;
}

/** The message with what its payload held, at the places where a plain one has it. */
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

/** What stands beside chunks in the clear was not sealed, so it is none of the sender's words. */
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
