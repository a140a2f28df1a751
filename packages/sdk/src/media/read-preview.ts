// Reads the preview of an image or a video. The sender makes the preview; for plain images, the server may make it.
import type { Message } from '@sealpost/contract';
import { fromBase64, OpenError, openMedia } from '@sealpost/crypto';
import { GatewayError, NetworkError } from '../gateway/errors.ts';
import type { MediaDeps } from './media-deps.ts';
import { changedError } from './media-error.ts';
import { placeOf } from './object-place.ts';
import { Patience, type PatienceOptions } from './patience.ts';

const WHAT = 'the preview';

/**
 * Returns the preview; undefined if there is none, or none yet.
 * @throws MediaError `no-object`, `sealed`, `changed`; GatewayError, NetworkError
 */
export async function readPreview(
  deps: MediaDeps,
  message: Message,
  options: PatienceOptions,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { path, headers, payload } = await placeOf(deps, message);
  const patience = new Patience(deps.ports, options);
  const bytes = await patience.until(() => read(payload ? `${path}__ud-preview` : `${path}/preview`));
  if (!bytes || !payload) return bytes;
  try {
    const parts: Uint8Array[] = [];
    for await (const part of openMedia(fromBase64(payload.keyMaterial), [bytes])) parts.push(part);
    return joined(parts);
  } catch (error) {
    if (error instanceof OpenError) throw changedError(error);
    throw error;
  }

  async function read(at: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const response = await deps.storage({ what: WHAT, method: 'GET', path: at, headers, signal: patience.signal });
      // Status 202 means that the server has not made the preview yet.
      if (response.status === 202) return undefined;
      return new Uint8Array(
        await response.arrayBuffer().catch((cause) => {
          throw new NetworkError(WHAT, at, cause);
        }),
      );
    } catch (error) {
      if (error instanceof GatewayError && error.http === 404) return undefined;
      throw error;
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
