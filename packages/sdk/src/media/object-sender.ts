// Sends parts of one object to object storage, and asks the server how much it has stored.
import { type ObjectParameters, plainHeaders } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { toBase64 } from '@sealpost/crypto';
import { GatewayError, NetworkError } from '../gateway/errors.ts';
import { MediaError } from './media-error.ts';
import type { ObjectStorage } from './object-storage.ts';
import type { Patience } from './patience.ts';
import { readInfo } from './stored-object.ts';

/** The part of an object that the server has stored. */
export interface StoredState {
  readonly offset: number;
  readonly oid?: string | undefined;
  /** The SHA-256 in hex; undefined until the object is complete. */
  readonly hash?: string | undefined;
}

export interface SentObject {
  readonly path: string;
  readonly params: ObjectParameters;
  /** The size of the object in bytes; for sealed media, of the sealed bytes. */
  readonly size: number;
}

export interface ObjectSenderDeps {
  readonly storage: ObjectStorage;
  readonly clock: Clock;
  readonly patience: Patience;
}

const KIB = 1024;
const FIRST_PART = 256 * KIB;
const SMALLEST_PART = 64 * KIB;
const LARGEST_PART = 4 * KIB * KIB;
// After a part that took less than QUICK_MS, the next part is larger, which uses fast connections well. After a part
// that took more than SLOW_MS, the next part is smaller, so that users see progress.
const QUICK_MS = 500;
const SLOW_MS = 4000;
const PART_TIMEOUT_MS = 60_000;

export const WHAT = 'the upload';

export class ObjectSender {
  readonly #deps: ObjectSenderDeps;
  readonly #object: SentObject;
  readonly #params: string;
  #partSize = FIRST_PART;

  constructor(deps: ObjectSenderDeps, object: SentObject) {
    this.#deps = deps;
    this.#object = object;
    this.#params = toBase64(new TextEncoder().encode(JSON.stringify({ ver: '2.0', ...object.params })));
  }

  /** The size in bytes that the next part should have. It is adapted to the speed of the connection. */
  get partSize(): number {
    return this.#partSize;
  }

  /**
   * Asks the server how much it has stored, and repeats the request until an answer comes.
   * @throws MediaError `source-changed` if the server has a complete object of another size
   */
  stored(): Promise<StoredState> {
    return this.#deps.patience.until(() => this.#state());
  }

  /** Sends a part once. After a failure, asks the server how many bytes arrived. */
  async send(part: Uint8Array<ArrayBuffer>, from: number): Promise<StoredState> {
    try {
      return await this.#post(part, from);
    } catch (error) {
      // HTTP 416 means that the range does not start where the stored bytes end. Another attempt is useful, because the
      // request below asks how many bytes are stored.
      await this.#deps.patience.after(error, error instanceof GatewayError && error.http === 416);
      this.#partSize = Math.max(this.#partSize / 2, SMALLEST_PART);
      return this.stored();
    }
  }

  async #state(): Promise<StoredState> {
    const { storage, patience } = this.#deps;
    const { path, size } = this.#object;
    try {
      const info = await readInfo(storage, path, { what: WHAT, signal: patience.signal });
      if (info.status === 'exist' && info.size !== size) throw otherBytes();
      return { offset: info.status === 'exist' ? size : (info.offset ?? 0), oid: info.oid, hash: info.hash };
    } catch (error) {
      if (!(error instanceof GatewayError) || !nothingYet(error, path)) throw error;
      return { offset: 0 };
    }
  }

  async #post(part: Uint8Array<ArrayBuffer>, from: number): Promise<StoredState> {
    const { storage, clock, patience } = this.#deps;
    const { path, size } = this.#object;
    const begun = clock.monotonic();
    const end = from + part.length;
    // An empty object is sent without Range, because no range can describe zero bytes.
    const range = size === 0 ? {} : { Range: `bytes ${from}-${end - 1}/${size}` };
    const { headers } = await storage({
      what: WHAT,
      method: 'POST',
      path,
      headers: { [plainHeaders.obsParams.name]: this.#params, ...range },
      body: part,
      timeoutMs: PART_TIMEOUT_MS,
      signal: patience.signal,
    });
    this.#adapt(clock.monotonic() - begun);
    const offset = Number(headers.get('x-obs-offset') ?? end);
    // The server stored nothing of the part. The error counts as a network error, so the same bytes are sent again
    // after a pause.
    if (offset <= from && from < end) throw new NetworkError(WHAT, path, new Error('the server took nothing'));
    return {
      offset,
      oid: headers.get('x-obs-oid') ?? undefined,
      hash: headers.get('x-obs-hash') ?? undefined,
    };
  }

  /** Adapts the size of the next part to the time that a part took. */
  #adapt(took: number): void {
    if (took < QUICK_MS) this.#partSize = Math.min(this.#partSize * 2, LARGEST_PART);
    if (took > SLOW_MS) this.#partSize = Math.max(this.#partSize / 2, SMALLEST_PART);
  }
}

/**
 * Returns whether a refusal means that the server has no bytes of the object yet. The server knows a sealed object only
 * after its first byte. It knows a plain object as soon as its message was sent, so a refusal for a plain object is an
 * error.
 */
const nothingYet = ({ http }: GatewayError, path: string): boolean =>
  !path.startsWith('/r/talk/m/') && (http === 404 || http === 400);

export const changed = (what: string) =>
  new MediaError('source-changed', `${what} Send it again; the part that was sent is useless.`);
export const otherBytes = () =>
  changed('The server has other bytes than those that were sent: the content changed while it was being sent.');
