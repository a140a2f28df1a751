// Reads the facts that a message contains about its picture, video, sound or file. They are known before the media is
// loaded. Other people wrote the message, so every value is checked.
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';

export interface Size {
  readonly width: number;
  readonly height: number;
}

type Metadata = StoredMessage['contentMetadata'];

/** The longest side of a picture in a conversation, in CSS pixels. */
const SHOWN_SIDE = 320;
const SHORTEST_SIDE = 96;
/** The size at which a picture is shown if its message does not state a size. */
const UNKNOWN: Size = { width: 240, height: 180 };
/** Maximum size in bytes of a picture that is loaded without a click. */
const UNASKED_BYTES = 8_000_000;
/** Size in bytes up to which the whole picture is loaded at once, because its preview is hardly smaller. */
const SMALL_BYTES = 150_000;

/** Returns a size with the same proportions, whose longest side is at most `most`. Smaller sizes are not enlarged. */
export function fitted({ width, height }: Size, most: number): Size {
  const scale = Math.min(1, most / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const isLength = (value: unknown): value is number => typeof value === 'number' && value >= 1 && value <= 100_000;

function parsed(json: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * Returns the size at which a picture or video is shown. The size comes from the message, so it is known before the
 * picture is loaded.
 */
export function shownSize({ MEDIA_THUMB_INFO }: Metadata): Size {
  const { width, height } = parsed(MEDIA_THUMB_INFO);
  if (!isLength(width) || !isLength(height)) return UNKNOWN;
  const { width: w, height: h } = fitted({ width, height }, SHOWN_SIDE);
  // Very long and very small pictures get a frame that is large enough to see and press.
  return { width: Math.max(w, SHORTEST_SIDE), height: Math.max(h, SHORTEST_SIDE) };
}

const numberOf = (text: string | undefined): number | undefined => {
  const value = Number(text);
  return text !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
};

/** Returns the size of the content in bytes. */
export const bytesOf = ({ FILE_SIZE }: Metadata): number | undefined => numberOf(FILE_SIZE);

/** Returns the duration of a sound or video in milliseconds. */
export const durationOf = ({ DURATION, AUDLEN }: Metadata): number | undefined => numberOf(DURATION ?? AUDLEN);

const isSealed = ({ sealing: { state } }: StoredMessage): boolean => state === 'opened' || state === 'unproven';

/**
 * Returns the form in which a conversation shows a picture: the `whole` picture, a `preview`, or `nothing` until a
 * click. A sealed picture usually has no preview, so the whole picture is loaded unless it is very large.
 */
export function formOf(message: StoredMessage): 'whole' | 'preview' | 'nothing' {
  const { contentMetadata, contentType } = message;
  if (contentType !== contentTypes.IMAGE) return 'preview';
  const bytes = bytesOf(contentMetadata) ?? SMALL_BYTES;
  const isMoving = parsed(contentMetadata.MEDIA_CONTENT_INFO).animated === true;
  if (bytes <= SMALL_BYTES) return 'whole';
  if (isSealed(message) || isMoving) return bytes <= UNASKED_BYTES ? 'whole' : 'nothing';
  return 'preview';
}

/** Returns true if the whole picture may be loaded when its preview is missing. */
export const isSmallEnough = ({ contentMetadata }: StoredMessage): boolean =>
  (bytesOf(contentMetadata) ?? 0) <= UNASKED_BYTES;

/** Returns the mid of the chat that a message belongs to. */
export const chatOf = ({ to, from }: StoredMessage, me: string): string => (to === me ? from : to);
