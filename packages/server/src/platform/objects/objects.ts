// The object store, where the bytes of media lie. Rows of the database and rules of the media slice say what an object
// is, who may read it and how large it may be. An adapter only knows keys and bytes.

/** The name of an object: 32 lower-case hex digits that the server drew. Nothing that a client sends becomes a key. */
export type ObjectKey = string;

/** The first digit of a key tells whose object it is, so that each owner cleans up only its own. */
export const keySpaces = { media: 'a', stickers: '5' } as const;

/** The first and the last byte wanted, both inside of the object. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredObject {
  readonly key: ObjectKey;
  /** Epoch milliseconds by the clock of the store; in quarantine, when it came there. */
  readonly changedTime: number;
}

/**
 * An object is written in one or several appends and cannot be read; once published, it can be read and never changes.
 * In quarantine are published ones that nobody seems to need: they cannot be read until they are brought back.
 */
export type ObjectState = 'unpublished' | 'published' | 'quarantined';

/** The headers for a reader that fetches a published object directly from the store. */
export interface LinkHeaders {
  readonly type: string;
  readonly disposition: string;
  readonly cacheControl: string;
}

/** Bytes to be written, in batches of those that are there. */
export type Source = AsyncIterable<readonly Buffer[]> | Iterable<readonly Buffer[]>;

export interface Objects {
  readonly kind: 'disk' | 's3';
  /** Where the objects lie, for people; without credentials. */
  readonly location: string;
  /**
   * Writes the bytes of a source at `offset` of an unpublished object. Returns its size after them, once all of it is
   * durable. What was there from `offset` on is replaced; offset 0 begins the object. The source is read only as fast
   * as it can be written, and a batch is used up before the next is asked for. The caller makes sure that only one
   * append of a key runs at a time.
   *
   * `offset` is 0, the beginning of the last append, or its end: a caller that did not hear of the end can go back.
   * From any other offset an append may work or not.
   * @throws ObjectMissing when the bytes before `offset` are not there
   * @throws whatever the source throws; then the bytes of this append may be there or not
   */
  append(key: ObjectKey, offset: number, source: Source): Promise<number>;
  /** Makes the whole object readable, at once and durably. Publishing it again changes nothing. @throws ObjectMissing */
  publish(key: ObjectKey): Promise<void>;
  /**
   * Returns the bytes of a published object. A piece is valid until the next is asked for. A reader that begins goes on
   * to the end or returns, which frees what the reading holds. @throws ObjectMissing
   */
  read(key: ObjectKey, range?: ByteRange): Promise<AsyncIterable<Buffer>>;
  /**
   * Returns an address at which anybody who knows it can read a published object for a short time, with ranges, and
   * past this server. Absent where the store has no such addresses, or the operator wants none.
   */
  readonly link?: (key: ObjectKey, headers: LinkHeaders) => Promise<string>;
  /** Removes an object in any state; does nothing if there is none. */
  remove(key: ObjectKey): Promise<void>;
  /** Moves a published object to quarantine; does nothing if there is none. */
  quarantine(key: ObjectKey): Promise<void>;
  /**
   * Publishes an object of the quarantine again. Returns whether it is published now: others may do so at the same
   * time.
   */
  bringBack(key: ObjectKey): Promise<boolean>;
  /** Returns the id of the installation that the objects belong to; undefined where none was written. */
  owner(): Promise<string | undefined>;
  /** Writes that id, and prepares an empty place for objects. */
  claim(id: string): Promise<void>;
  /** Returns the objects after a key ('' for the first ones), in the order of keys, at most `limit`. */
  page(state: ObjectState, after: ObjectKey, limit: number): Promise<StoredObject[]>;
  /** Throws when objects cannot be written. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the bytes of a small object in one piece. */
export async function wholeOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const found: Buffer[] = [];
  for await (const piece of pieces) found.push(Buffer.from(piece));
  return Buffer.concat(found);
}

/** There is no such object, or less of it than was asked for. A full or unreachable store throws `StoreUnavailable`. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
}

const KEY = /^[0-9a-f]{32}$/;

/** The last gate before a key becomes a path: a key of another form is a fault of the server. */
export function requireKey(key: ObjectKey): void {
  if (!KEY.test(key)) throw new Error(`not an object key: ${JSON.stringify(key)}`);
}
