import type { IncomingMessage } from 'node:http';
import { ApiError } from '@sealpost/contract';

/**
 * Error for a client that disconnected before its request was complete. No answer is sent, because nobody waits for
 * one.
 */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/**
 * Throws if the body is compressed.
 * @throws UNSUPPORTED_BODY
 */
export function requireUncompressed(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new ApiError('UNSUPPORTED_BODY', `content-encoding ${encoding} is not accepted; send the body uncompressed`);
}

/**
 * Returns the whole body. Stops reading as soon as the body exceeds the limit.
 * @throws BODY_TOO_LARGE if the body exceeds the limit; UNSUPPORTED_BODY if the body is compressed; ClientGone if the
 * client disconnects
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { 'content-encoding': encoding, 'content-length': length } = request.headers;
  requireUncompressed(encoding);
  const tooLarge = () => new ApiError('BODY_TOO_LARGE', `the body is larger than ${limit} bytes`);
  if (length !== undefined && Number(length) > limit) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.removeAllListeners('data');
        request.pause();
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', (error) => reject(new ClientGone('the request was not finished', { cause: error })));
  });
}
