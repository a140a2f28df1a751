// Media as the caller passes them, and the unencrypted metadata of their message.
import { contentTypes } from '@sealpost/contract';
import type { ByteSource } from '@sealpost/crypto';

export type MediaKind = 'image' | 'video' | 'audio' | 'file';

/**
 * Bytes that can be read from their beginning any number of times, and are the same each time. For example, a Blob or
 * File.
 */
export interface MediaSource {
  readonly size: number;
  stream(): ByteSource;
}

/** A small JPEG of an image or a video. */
export interface MediaPreview {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

export interface OutgoingMedia {
  readonly kind: MediaKind;
  readonly bytes: MediaSource;
  /** The file name without a folder. The receivers see it. */
  readonly name: string;
  /** The duration of a video or sound, in milliseconds. */
  readonly duration?: number | undefined;
  readonly preview?: MediaPreview | undefined;
  /** True if an image is animated. */
  readonly animated?: boolean | undefined;
}

export const contentTypeOf = {
  image: contentTypes.IMAGE,
  video: contentTypes.VIDEO,
  audio: contentTypes.AUDIO,
  file: contentTypes.FILE,
} as const satisfies Record<MediaKind, number>;

/** The SID, a part of the object's path, for sealed media of each kind. */
export const sealedSid = { image: 'emi', video: 'emv', audio: 'ema', file: 'emf' } as const satisfies Record<
  MediaKind,
  string
>;

/** Returns the contentMetadata that are not encrypted, even in a sealed message. */
export function mediaMetadata({ kind, bytes, duration, preview, ...media }: OutgoingMedia): Record<string, string> {
  const timed = (kind === 'video' || kind === 'audio') && duration !== undefined;
  const milliseconds = String(Math.round(duration ?? 0));
  return {
    FILE_SIZE: String(bytes.size),
    ...(timed && { DURATION: milliseconds }),
    ...(timed && kind === 'audio' && { AUDLEN: milliseconds }),
    ...(preview && { MEDIA_THUMB_INFO: JSON.stringify({ width: preview.width, height: preview.height }) }),
    ...(kind === 'image' && { MEDIA_CONTENT_INFO: JSON.stringify(imageInfo({ bytes, ...media })) }),
  };
}

function imageInfo({ bytes, name, animated }: Pick<OutgoingMedia, 'bytes' | 'name' | 'animated'>) {
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase();
  return {
    category: 'original',
    fileSize: bytes.size,
    ...(extension !== undefined && { extension }),
    ...(animated !== undefined && { animated }),
  };
}
