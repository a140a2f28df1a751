// The content of a sealed message: JSON, whose form depends on the content type.
import type { Bytes } from '../bytes.ts';
import { OpenError } from '../open-error.ts';

export interface TextPayload {
  readonly text: string;
  /** Pictures that replace parts of the text. Messages that are not sealed have this field in contentMetadata. */
  readonly REPLACE?: { readonly sticon?: unknown };
}

export interface LocationPayload {
  readonly location: {
    readonly title?: string | null;
    readonly address?: string | null;
    readonly latitude: number;
    readonly longitude: number;
  };
}

export interface MediaPayload {
  /** Base64 of the 32 bytes that the media's keys are derived from. */
  readonly keyMaterial: string;
  readonly fileName?: string;
}

export interface FilePayload extends MediaPayload {
  readonly fileName: string;
}

/**
 * The payloads by content type: text, image, video, audio, file, location. Messages of other types are never sealed.
 */
export interface SealedPayloads {
  0: TextPayload;
  1: MediaPayload;
  2: MediaPayload;
  3: MediaPayload;
  14: FilePayload;
  15: LocationPayload;
}

export type SealableType = keyof SealedPayloads;

type Fields = Readonly<Record<string, unknown>>;
const utf8 = { encode: new TextEncoder(), decode: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }) };
const KEY_MATERIAL = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isTextIfThere = (value: unknown): boolean => value === undefined || value === null || isText(value);

const isMedia = ({ keyMaterial, fileName }: Fields): boolean =>
  typeof keyMaterial === 'string' && KEY_MATERIAL.test(keyMaterial) && (fileName === undefined || isText(fileName));

const isLocation = ({ location }: Fields): boolean =>
  isFields(location) &&
  Number.isFinite(location.latitude) &&
  Number.isFinite(location.longitude) &&
  isTextIfThere(location.title) &&
  isTextIfThere(location.address);

const forms: Readonly<Record<SealableType, (payload: Fields) => boolean>> = {
  0: ({ text, REPLACE }) => isText(text) && (REPLACE === undefined || isFields(REPLACE)),
  1: isMedia,
  2: isMedia,
  3: isMedia,
  14: (payload) => isMedia(payload) && isText(payload.fileName),
  15: isLocation,
};

/** Returns whether messages of this content type may be sealed. */
export const isSealableType = (contentType: number): contentType is SealableType => Object.hasOwn(forms, contentType);

/** Writes a payload. Throws RangeError for a payload that no client could read. */
export function encodePayload(contentType: SealableType, payload: unknown): Bytes {
  if (!isSealableType(contentType)) throw new RangeError(`content type ${contentType} cannot be sealed`);
  if (!isFields(payload) || !forms[contentType](payload))
    throw new RangeError(`the payload does not have the form of content type ${contentType}`);
  return utf8.encode.encode(JSON.stringify(payload));
}

/** Reads a payload. Keeps unknown fields, which later versions may have added. */
export function decodePayload<T extends SealableType>(contentType: T, plain: Uint8Array): SealedPayloads[T] {
  const payload = parse(plain);
  if (!isFields(payload) || !forms[contentType](payload))
    throw new OpenError('payload', `the content does not have the form of content type ${contentType}`);
  return payload as unknown as SealedPayloads[T];
}

function parse(plain: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode.decode(plain));
  } catch {
    throw new OpenError('payload', 'the content is not JSON');
  }
}
