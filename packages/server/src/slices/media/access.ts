// Who may read and write which object. Everything is refused that is not allowed here.
import { ApiError, contentTypes } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import type { ObjectPath } from '../../platform/rpc/object-paths.ts';
import type { Reader } from '../../platform/store/store.ts';
import { kindAt, kindOf, messageIdOf, placeOf, type Side, sideName, splitOid } from './names.ts';
import * as q from './queries.ts';

/** A message as far as its media are concerned. */
export interface MediaMessage {
  readonly chatId: number;
  readonly id: number;
  readonly senderId: number;
  readonly contentType: number;
  readonly sealed: boolean;
  readonly unsent: boolean;
}

/** A message that an account may read now, by its times of membership; undefined for every other one. */
export type FindMessage<R extends Reader> = (
  reader: R,
  accountId: number,
  messageId: number,
) => Promise<MediaMessage | undefined>;

const MEDIA = new Set<number>([contentTypes.IMAGE, contentTypes.VIDEO, contentTypes.AUDIO, contentTypes.FILE]);

export const carriesMedia = ({ contentType, unsent }: MediaMessage): boolean => MEDIA.has(contentType) && !unsent;

/** Absent and forbidden objects are answered alike. */
export const noObject = (oid: string): ApiError => new ApiError('NOT_FOUND_PATH', `no object ${oid}`);

/** What a reader may look at: the row if something was uploaded, and whether to expect one. */
export interface Found {
  readonly row: q.ObjectRow | undefined;
  /** The message of a plain object, for which an upload may still come. */
  readonly message: MediaMessage | undefined;
}

export type ObjectName = Pick<q.ObjectRow, 'account_id' | 'oid'>;

/** Whether an object is the cover of its owner's home. */
export type IsCover = (reader: Reader, ownerId: number, oid: string) => Promise<boolean>;

/** In a read, or in a transaction that holds the groups of the messages that it finds. */
export interface Access<R extends Reader> {
  /** @throws NOT_FOUND_PATH; OBJECT_REQUEST when a sealed path comes without the message */
  forReading(reader: R, caller: Caller, path: ObjectPath, messageId: number | undefined): Promise<Found>;
  /** The plain message that a caller may give an object. @throws NOT_FOUND_PATH, OBJECT_FORBIDDEN, OBJECT_REQUEST */
  messageToFill(reader: R, caller: Caller, oid: string): Promise<MediaMessage>;
  /** Whether an account may hand an object on: it uploaded it, or can read a message that carries it. */
  mayForward(reader: R, accountId: number, object: ObjectName): Promise<boolean>;
}

/** No account has this id. */
export const NOBODY = 0;

/** An object that was handed on in more chats of one account than this counts as one that it cannot read. */
const CARRIERS = 100;

export function createAccess<R extends Reader>(findMessage: FindMessage<R>, isCover: IsCover): Access<R> {
  async function readable(reader: R, caller: Caller, id: number | undefined): Promise<MediaMessage | undefined> {
    const message = id === undefined ? undefined : await findMessage(reader, caller.accountId, id);
    return message && carriesMedia(message) ? message : undefined;
  }

  async function plain(reader: R, caller: Caller, path: ObjectPath): Promise<Found> {
    const { base, side } = splitOid(path.oid);
    const message = await readable(reader, caller, messageIdOf(base));
    if (!message || message.sealed || side === 'hash') throw noObject(path.oid);
    const uploaded = await reader.one(q.objectOf, message.senderId, path.oid);
    return { row: uploaded ?? (await copied(reader, message, side)), message };
  }

  /** The cover of a home is for all; what is not one, or not yet, for its uploader. */
  async function cover(reader: Reader, caller: Caller, path: ObjectPath): Promise<Found> {
    const { oid } = path;
    const row = await reader.one(q.objectByOid, oid);
    // Asked for an absent one too: a foreign one takes no longer.
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
        throw new ApiError('OBJECT_REQUEST', 'X-Talk-Meta is missing, which names the message that carries the object');
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

    async mayForward(reader, accountId, object) {
      if (object.account_id === accountId) return true;
      const { base } = splitOid(object.oid);
      if (messageIdOf(base) !== undefined) {
        return (await findMessage(reader, accountId, messageIdOf(base) as number)) !== undefined;
      }
      for (const { message_id } of await reader.all(q.carriersFor, accountId, object.account_id, base, CARRIERS)) {
        const message = await findMessage(reader, accountId, message_id);
        if (message && !message.unsent) return true;
      }
      return false;
    },
  };
}

/** An object, or a side object of it, that a message carries by its name. */
async function carried(reader: Reader, message: MediaMessage, path: ObjectPath): Promise<q.ObjectRow | undefined> {
  const { base } = splitOid(path.oid);
  const carriers = await reader.all(q.carriedBy, message.chatId, message.id);
  const carrier = carriers.find(({ oid }) => oid === base);
  const row = carrier && (await reader.one(q.objectOf, carrier.owner_id, path.oid));
  return row?.place === placeOf(path) ? row : undefined;
}

/** A plain message may carry a copy by its name instead of an upload of its own. */
async function copied(reader: Reader, message: MediaMessage, side: Side | undefined): Promise<q.ObjectRow | undefined> {
  const [carrier] = await reader.all(q.carriedBy, message.chatId, message.id);
  if (!carrier) return undefined;
  const row = await reader.one(q.objectOf, carrier.owner_id, side ? sideName(carrier.oid, side) : carrier.oid);
  return row && kindAt(row.place) === 'plain' ? row : undefined;
}
