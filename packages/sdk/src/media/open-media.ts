// Opens the media of a message as a stream, from the beginning or from the place where an earlier run stopped. At the
// end, checks that the bytes are those that were sent. Plain media are checked with the hash from object storage,
// sealed media with their MAC.
import type { Message, ObjectInfo } from '@sealpost/contract';
import {
  chunksOf,
  createSha256,
  decryptUnverified,
  fromBase64,
  OpenError,
  openMedia as openSealed,
  type MediaKind as SealedKind,
} from '@sealpost/crypto';
import { GatewayError } from '../gateway/errors.ts';
import { pause } from '../gateway/ports.ts';
import type { MediaDeps } from './media-deps.ts';
import { changedError, MediaError } from './media-error.ts';
import type { MediaPayload } from './media-sealing.ts';
import { objectBytes } from './object-bytes.ts';
import { type ObjectPlace, placeOf } from './object-place.ts';
import type { MediaKind, MediaSource } from './outgoing.ts';
import { contentTypeOf } from './outgoing.ts';
import { Patience } from './patience.ts';
import type { TransferOptions } from './send-media.ts';
import { readInfo } from './stored-object.ts';

export interface OpenedMedia {
  readonly kind: MediaKind;
  readonly sealed: boolean;
  /** The file name that the sender chose. It may be unsafe as a path. */
  readonly name: string | undefined;
  /** The size of the content, in bytes. */
  readonly size: number;
  /**
   * Yields the content. The content is verified only when the iteration has ended without an error. Until then, write
   * the content to a temporary place, and do not show, parse or run any of it.
   *
   * @param after the beginning of the content, from an earlier download. Only the bytes after it are yielded, but the
   * whole content is verified.
   * @throws MediaError `changed` at the end; GatewayError, NetworkError
   */
  bytes(after?: MediaSource): AsyncGenerator<Uint8Array, void>;
}

const MAC_BYTES = 32;
// The number of requests and the pauses between them while the sender still uploads. Existing clients use the same
// values.
const TRIES = 5;
const WAIT_MS = 2000;
const WHAT = 'the download';

/**
 * Opens the media of a message. Waits some seconds for an upload that is still running.
 * @throws MediaError `not-media`, `no-object`, `not-yet`, `sealed`; GatewayError, NetworkError
 */
export async function openMedia(deps: MediaDeps, message: Message, options: TransferOptions): Promise<OpenedMedia> {
  const kind = kindOf(message);
  const patience = new Patience(deps.ports, options);
  const place = await placeOf(deps, message);
  const info = await whenWhole(deps, message, place, patience);
  const { payload } = place;
  const size = (info.size ?? 0) - (payload ? MAC_BYTES : 0);
  const name = payload ? payload.fileName : (message.contentMetadata.FILE_NAME ?? info.name);
  return {
    kind,
    sealed: payload !== undefined,
    name: name || undefined,
    size,
    async *bytes(after) {
      if (size < 0 || (after && after.size > size)) throw changedError();
      const transfer = { ...deps, patience };
      const from = after?.size ?? 0;
      const wanted = { path: place.path, headers: place.headers, from, size: info.size ?? 0 };
      const pieces = payload
        ? opened(payload, place.sealedKind, after, objectBytes(transfer, wanted))
        : hashed(info.hash, after, objectBytes(transfer, wanted));
      let done = from;
      options.onProgress?.({ done, total: size });
      for await (const piece of pieces) {
        done += piece.length;
        yield piece;
        options.onProgress?.({ done, total: size });
      }
    },
  };
}

function kindOf({ contentType, id }: Message): MediaKind {
  const kinds = Object.keys(contentTypeOf) as MediaKind[];
  const kind = kinds.find((candidate) => contentTypeOf[candidate] === contentType);
  if (!kind) throw new MediaError('not-media', `The message ${id} is not an image, video, sound or file.`);
  return kind;
}

async function whenWhole(
  { storage, ports }: MediaDeps,
  { id }: Message,
  { path, headers }: ObjectPlace,
  patience: Patience,
): Promise<ObjectInfo> {
  for (let tries = 1; ; tries++) {
    const info = await patience
      .until(() => readInfo(storage, path, { what: WHAT, headers, signal: patience.signal }))
      .catch((error) => {
        if (!(error instanceof GatewayError) || error.http !== 404) throw error;
        const why = 'It was removed or unsent, or you are not in its chat.';
        throw new MediaError('no-object', `There is no object of the message ${id} for this account. ${why}`);
      });
    if (info.status === 'exist' && info.size !== undefined) return info;
    if (tries === TRIES) {
      throw new MediaError('not-yet', `The sender has not finished uploading the message ${id}. Try again later.`);
    }
    await pause(ports.timers, WAIT_MS, patience.signal);
    patience.signal?.throwIfAborted();
  }
}

async function* hashed(
  expected: string | undefined,
  after: MediaSource | undefined,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createSha256();
  if (after) for await (const chunk of chunksOf(after.stream())) hash.update(chunk);
  for await (const chunk of rest) {
    hash.update(chunk);
    yield chunk;
  }
  const found = Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (expected !== undefined && found !== expected) throw changedError();
}

/**
 * Yields the decrypted bytes that follow `after`. The MAC covers the encrypted bytes of the whole object. So the bytes
 * of `after` are encrypted again to compute the MAC.
 */
async function* opened(
  { keyMaterial }: MediaPayload,
  kind: SealedKind,
  after: MediaSource | undefined,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const key = fromBase64(keyMaterial);
  async function* sealed(): AsyncGenerator<Uint8Array, void> {
    let at = 0;
    if (after) {
      for await (const chunk of chunksOf(after.stream())) {
        // Decryption also encrypts: the cipher (CTR) is its own inverse.
        yield await decryptUnverified(key, at, Uint8Array.from(chunk));
        at += chunk.length;
      }
    }
    yield* rest;
  }
  let skip = after?.size ?? 0;
  try {
    for await (const piece of openSealed(key, sealed(), kind)) {
      const fresh = piece.subarray(Math.min(skip, piece.length));
      skip -= piece.length - fresh.length;
      if (fresh.length > 0) yield fresh;
    }
  } catch (error) {
    if (error instanceof OpenError) throw changedError(error);
    throw error;
  }
}
