// Keeps a body while it passes through, decompressed, because compression would hide the secrets in it.
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { PassThrough, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { RecordedBody } from './session-file.ts';

/**
 * Returns a stream that decompresses an encoding; undefined if the encoding is not known. Cut bodies are decompressed
 * up to the cut.
 */
function decoderOf(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase() ?? 'identity') {
    case 'identity':
    case '':
      return new PassThrough();
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
    case 'deflate':
      return createInflate({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      });
    case 'zstd':
      return createZstdDecompress({ flush: constants.ZSTD_e_flush, finishFlush: constants.ZSTD_e_flush });
    default:
      return undefined;
  }
}

export class BodyCapture {
  readonly #decoder: Transform | undefined;
  readonly #limit: number;
  readonly #pieces: Buffer[] = [];
  readonly #listen: ((piece: Buffer) => void) | undefined;
  #bytes = 0;
  #broken = false;

  /**
   * @param encoding the value of Content-Encoding
   * @param limit the maximum number of bytes that are kept
   * @param listen for streams: gets each piece, which is then not kept
   */
  constructor(encoding: string | undefined, limit: number, listen?: (piece: Buffer) => void) {
    this.#decoder = decoderOf(encoding);
    this.#limit = limit;
    this.#listen = listen;
    this.#decoder?.on('data', (piece: Buffer) => this.#take(piece));
    this.#decoder?.on('error', () => {
      this.#broken = true;
    });
  }

  push(piece: Buffer): void {
    if (this.#decoder && !this.#broken) this.#decoder.write(piece);
  }

  /** Waits until the whole body is decompressed, and returns it. */
  async finish(): Promise<RecordedBody> {
    if (this.#decoder && !this.#broken) {
      this.#decoder.end();
      await once(this.#decoder, 'end').catch(() => undefined);
    }
    return this.now();
  }

  /** Returns the body as far as it has arrived. */
  now(): RecordedBody {
    if (this.#bytes > this.#limit || !this.#decoder || this.#broken) {
      return { form: 'omitted', content: '', bytes: this.#bytes };
    }
    const whole = Buffer.concat(this.#pieces);
    const isText = isUtf8(whole) && !whole.includes(0);
    return isText
      ? { form: 'text', content: whole.toString('utf8'), bytes: whole.length }
      : { form: 'base64', content: whole.toString('base64'), bytes: whole.length };
  }

  #take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#listen) this.#listen(piece);
    else if (this.#bytes <= this.#limit) this.#pieces.push(piece);
    else this.#pieces.length = 0;
  }
}
