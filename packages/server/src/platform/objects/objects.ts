// The object store, which holds the bytes of media. The store only knows keys and bytes. The database and the media
// slice know what an object is, who may read it and how large it may be.

/**
 * The name of an object: 32 lower-case hex digits that the server draws at random. Nothing that a client sends becomes
 * a key.
 */
export type ObjectKey = string;

/**
 * The first digits of the keys, by the part of the server that owns the objects. So each part cleans up only its own
 * objects.
 */
export const keySpaces = { media: 'a', stickers: '5' } as const;

/** The positions of the first and the last byte that a reader wants. Both lie inside the object. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredObject {
  readonly key: ObjectKey;
  /**
   * Time of the last change in epoch milliseconds, by the clock of the store. For an object in quarantine, the time
   * when the object was put there.
   */
  readonly changedTime: number;
}

/**
 * An `unpublished` object is written in one or several appends, and cannot be read. A `published` object can be read
 * and never changes. A `quarantined` object was published, but nobody seems to need it. It cannot be read until it is
 * published again.
 */
export type ObjectState = 'unpublished' | 'published' | 'quarantined';

/** The response headers for a reader that fetches a published object directly from the store. */
export interface LinkHeaders {
  readonly type: string;
  readonly disposition: string;
  readonly cacheControl: string;
}

/** The bytes to write. Each batch holds buffers that have arrived since the batch before. */
export type Source = AsyncIterable<readonly Buffer[]> | Iterable<readonly Buffer[]>;

export interface Objects {
  readonly kind: 'disk' | 's3';
  /** The place of the objects, in a form for logs and error messages. Contains no credentials. */
  readonly location: string;
  /**
   * Writes the bytes of a source at `offset` of an unpublished object, and replaces everything from `offset` on. Offset
   * 0 begins the object. Returns the new size of the object once all bytes are durable. The source is read only as fast
   * as the store can write. Each batch is used up before the next one is requested. The caller makes sure that only one
   * append of a key runs at a time.
   *
   * `offset` is 0, or the beginning or the end of the last append. A caller that does not know whether an append
   * succeeded can repeat it from its beginning. From any other offset, an append may work or not.
   * @throws ObjectMissing if the bytes before `offset` are missing
   * @throws whatever the source throws; the bytes of this append may or may not be stored in this case
   */
  append(key: ObjectKey, offset: number, source: Source): Promise<number>;
  /**
   * Makes the whole object readable, at once and durably. Publishing a published object changes nothing.
   * @throws ObjectMissing
   */
  publish(key: ObjectKey): Promise<void>;
  /**
   * Returns the bytes of a published object. A piece is valid until the reader requests the next one. A reader that has
   * begun must read to the end or call `return`; both release the open file or connection.
   * @throws ObjectMissing
   */
  read(key: ObjectKey, range?: ByteRange): Promise<AsyncIterable<Buffer>>;
  /**
   * Returns an address from which a published object can be downloaded directly, without this server. The address is
   * valid for a short time and supports ranges, and anybody who knows it can use it. The function is absent if the
   * store has no such addresses, or the operator does not want them.
   */
  readonly link?: (key: ObjectKey, headers: LinkHeaders) => Promise<string>;
  /** Removes an object in any state; does nothing if there is no such object. */
  remove(key: ObjectKey): Promise<void>;
  /** Moves a published object to quarantine; does nothing if there is no such object. */
  quarantine(key: ObjectKey): Promise<void>;
  /**
   * Takes an object out of quarantine and publishes it again. Returns whether the object is published afterwards, even
   * if another server published it at the same time.
   */
  bringBack(key: ObjectKey): Promise<boolean>;
  /** Returns the id of the installation that owns the objects; undefined if no id was written. */
  owner(): Promise<string | undefined>;
  /** Makes an empty place ready for objects, and writes the id of the installation that owns them. */
  claim(id: string): Promise<void>;
  /** Returns at most `limit` objects after a key, in the order of keys. The key '' stands for the beginning. */
  page(state: ObjectState, after: ObjectKey, limit: number): Promise<StoredObject[]>;
  /** Throws if objects cannot be written. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Joins the pieces of a small object, and returns all its bytes. */
export async function wholeOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const found: Buffer[] = [];
  for await (const piece of pieces) found.push(Buffer.from(piece));
  return Buffer.concat(found);
}

/**
 * Error for an object that does not exist or is shorter than requested. If the store is full or unreachable, the error
 * is `StoreUnavailable` instead.
 */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
}

const KEY = /^[0-9a-f]{32}$/;

/** Returns whether a name is a key. A place may also contain names that others put there; lists leave them out. */
export const isKey = (name: string): boolean => KEY.test(name);

/**
 * Throws if a text does not have the form of a key, which means a bug in the server. This is the last check before a
 * key becomes a path.
 */
export function requireKey(key: ObjectKey): void {
  if (!isKey(key)) throw new Error(`not an object key: ${JSON.stringify(key)}`);
}
