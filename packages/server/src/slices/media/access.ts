// The rules that decide which account may read or write which object. Access is refused unless a rule here allows it.
import { ApiError, contentTypes } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import type { ObjectPath } from '../../platform/rpc/object-paths.ts';
import type { Reader } from '../../platform/store/store.ts';
import { kindAt, kindOf, messageIdOf, placeOf, type Side, sideName, splitOid } from './names.ts';
import * as q from './queries.ts';

/** The facts about a message that decide who may read and write its media. */
export interface MediaMessage {
  readonly chatId: number;
  readonly id: number;
  readonly senderId: number;
  readonly contentType: number;
  readonly sealed: boolean;
  readonly unsent: boolean;
  /** Mid of the group or room of the message; undefined in a one-to-one chat. */
  readonly groupMid: string | undefined;
}

/**
 * Returns a message if the account may read the message now; otherwise undefined. In a group, only messages from the
 * account's times of membership count.
 */
export type FindMessage<R extends Reader> = (
  reader: R,
  accountId: number,
  messageId: number,
) => Promise<MediaMessage | undefined>;

const MEDIA = new Set<number>([contentTypes.IMAGE, contentTypes.VIDEO, contentTypes.AUDIO, contentTypes.FILE]);

export const carriesMedia = ({ contentType, unsent }: MediaMessage): boolean => MEDIA.has(contentType) && !unsent;

/** Returns the error for an absent or forbidden object, so that a caller cannot tell these two apart. */
export const noObject = (oid: string): ApiError => new ApiError('NOT_FOUND_PATH', `no object ${oid}`);

/** An object that the caller may read. `row` is undefined if the object has not been uploaded yet. */
export interface ReadableObject {
  readonly row: q.ObjectRow | undefined;
  /** The message that a plain object belongs to; undefined for other objects. */
  readonly message: MediaMessage | undefined;
}

export type ObjectName = Pick<q.ObjectRow, 'account_id' | 'oid'>;

/** Returns whether an object is the present cover of its owner's home. */
export type IsCover = (reader: Reader, ownerId: number, oid: string) => Promise<boolean>;

/**
 * The rules of access. In a transaction, each function locks the groups of the messages that it finds, until the
 * transaction ends.
 */
export interface Access<R extends Reader> {
  /**
   * Returns the object if the caller may read it.
   * @throws NOT_FOUND_PATH if the caller may not read the object; OBJECT_REQUEST if `messageId` is missing for a sealed
   * object
   */
  forReading(reader: R, caller: Caller, path: ObjectPath, messageId: number | undefined): Promise<ReadableObject>;
  /**
   * Returns the plain message for which the caller may upload an object.
   * @throws NOT_FOUND_PATH if the caller cannot see the message; OBJECT_FORBIDDEN if somebody else sent it
   * @throws OBJECT_REQUEST if a message of its type has no plain object
   */
  messageToFill(reader: R, caller: Caller, oid: string): Promise<MediaMessage>;
  /**
   * Returns a message that carries an object and that an account can read, so that the account may forward the object.
   * Returns undefined if there is none. The object may be one that nobody has.
   */
  sourceOf(reader: R, accountId: number, object: ObjectName): Promise<MediaMessage | undefined>;
}

/** An account id that no account has. */
export const NOBODY = 0;

/**
 * Maximum number of messages that are checked to decide whether an account may forward an object. If the account can
 * read none of them, it may not.
 */
const CARRIERS = 100;

export function createAccess<R extends Reader>(findMessage: FindMessage<R>, isCover: IsCover): Access<R> {
  async function readable(reader: R, caller: Caller, id: number | undefined): Promise<MediaMessage | undefined> {
    const message = id === undefined ? undefined : await findMessage(reader, caller.accountId, id);
    return message && carriesMedia(message) ? message : undefined;
  }

  async function plain(reader: R, caller: Caller, path: ObjectPath): Promise<ReadableObject> {
    const { base, side } = splitOid(path.oid);
    const message = await readable(reader, caller, messageIdOf(base));
    if (!message || message.sealed || side === 'hash') throw noObject(path.oid);
    const uploaded = await reader.one(q.objectOf, message.senderId, path.oid);
    return { row: uploaded ?? (await copied(reader, message, side)), message };
  }

  /** Returns a home's present cover to everyone, and any other uploaded cover to its uploader only. */
  async function cover(reader: Reader, caller: Caller, path: ObjectPath): Promise<ReadableObject> {
    const { oid } = path;
    const row = await reader.one(q.objectByOid, oid);
    // The query runs for an absent object too, so that the duration does not reveal whether another account has this
    // object.
    const shown = await isCover(reader, row?.account_id ?? NOBODY, splitOid(oid).base);
    const open = row?.place === placeOf(path) && (shown || row.account_id === caller.accountId);
    if (!open) throw noObject(oid);
    return { row, message: undefined };
  }

  return {
    async forReading(reader, caller, path, messageId) {
      const kind = kindOf(path);
      if (kind === 'cover') return cover(reader, caller, path);
      if (kind === 'plain' && messageIdOf(splitOid(path.oid).base) !== undefined) return plain(reader, caller, path);
      if (kind === 'sealed' && messageId === undefined) {
        throw new ApiError(
          'OBJECT_REQUEST',
          'the header X-Talk-Meta is missing; it names the message that carries the object',
        );
      }
      const message = await readable(reader, caller, messageId);
      const row = message && (await carried(reader, message, path));
      if (!row) throw noObject(path.oid);
      return { row, message: undefined };
    },

    async messageToFill(reader, caller, oid) {
      const message = await findMessage(reader, caller.accountId, messageIdOf(oid) ?? 0);
      if (!message || message.unsent) throw noObject(oid);
      if (message.senderId !== caller.accountId) {
        throw new ApiError('OBJECT_FORBIDDEN', `message ${oid} is of somebody else`);
      }
      if (!carriesMedia(message) || message.sealed) {
        throw new ApiError('OBJECT_REQUEST', `message ${oid} is not of a type that has a plain object`);
      }
      return message;
    },

    async sourceOf(reader, accountId, object) {
      const { base } = splitOid(object.oid);
      const id = messageIdOf(base);
      const own = id === undefined ? undefined : await findMessage(reader, accountId, id);
      if (own && !own.unsent) return own;
      for (const { message_id } of await reader.all(q.carriersFor, accountId, object.account_id, base, CARRIERS)) {
        const message = await findMessage(reader, accountId, message_id);
        if (message && !message.unsent) return message;
      }
      return undefined;
    },
  };
}

/** Returns the row of an object that a message carries by name, or of the object's preview or hash. */
async function carried(reader: Reader, message: MediaMessage, path: ObjectPath): Promise<q.ObjectRow | undefined> {
  const { base } = splitOid(path.oid);
  const carriers = await reader.all(q.carriedBy, message.chatId, message.id);
  const carrier = carriers.find(({ oid }) => oid === base);
  const row = carrier && (await reader.one(q.objectOf, carrier.owner_id, path.oid));
  return row?.place === placeOf(path) ? row : undefined;
}

/**
 * Returns the copied object that a plain message carries by name, if nothing was uploaded for the message itself;
 * undefined if there is none.
 */
async function copied(reader: Reader, message: MediaMessage, side: Side | undefined): Promise<q.ObjectRow | undefined> {
  const [carrier] = await reader.all(q.carriedBy, message.chatId, message.id);
  if (!carrier) return undefined;
  const row = await reader.one(q.objectOf, carrier.owner_id, side ? sideName(carrier.oid, side) : carrier.oid);
  return row && kindAt(row.place) === 'plain' ? row : undefined;
}
