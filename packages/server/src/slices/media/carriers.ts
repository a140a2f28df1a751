// Records which messages carry which objects. The record of a message is written and removed together with the message.
import type { ApiError } from '@sealpost/contract';
import { Outdated, type Reader, type Tx } from '../../platform/store/store.ts';
import { type Access, type FindMessage, type MediaMessage, NOBODY } from './access.ts';
import { kindAt, messageIdOf, sideName } from './names.ts';
import * as q from './queries.ts';
import { noRoom, type Quota } from './quota.ts';
import { type LoseContent, removeObjects } from './remove-objects.ts';

/** An object that a message names and that the sender may forward. */
export interface NamedObject {
  readonly oid: string;
  readonly ownerId: number;
  readonly whole: boolean;
}

export interface ObjectMention {
  readonly senderId: number;
  readonly oid: string | undefined;
  /** Size in bytes of the object that is uploaded after the send; undefined if no upload follows. */
  readonly expects: number | undefined;
}

/** A group or room, and the account that asks for it. */
interface AskedGroup {
  readonly mid: string;
  readonly accountId: number;
}

/** What was found out about the objects of sends before anything is locked. */
export interface ObjectSources {
  /** The groups and rooms of the messages from which the senders know the objects. */
  readonly groups: readonly AskedGroup[];
  /**
   * Locks the objects. The calling function must hold the locks on the groups, because groups are locked before
   * objects. Returns one result per send: the named object, undefined or an error. Undefined means that the send
   * names no object, or one that the sender may not forward. The two cases look alike, so that nobody learns whether an
   * object exists. The error says that the sender's quota has no room for the upload that follows. The objects stay
   * locked until the transaction ends, so that no upload to them completes before that.
   */
  lock(): Promise<readonly (NamedObject | ApiError | undefined)[]>;
}

export interface Carriers {
  /** Finds the objects that sends name. Without such a send, it makes no query. */
  find(tx: Tx, sends: readonly ObjectMention[]): Promise<ObjectSources>;
  /** Allows the readers of messages to read the objects that these messages name. */
  carry(
    tx: Tx,
    messages: readonly { readonly chatId: number; readonly messageId: number; readonly object: NamedObject }[],
  ): Promise<void>;
  /** Removes the links between a message and its objects, and the objects that no other message carries. */
  drop(
    tx: Tx,
    message: { readonly chatId: number; readonly messageId: number; readonly senderId: number },
  ): Promise<void>;
}

export interface CarrierDeps {
  readonly quota: Quota;
  /** The rules of access. They lock nothing. */
  readonly readAccess: Pick<Access<Reader>, 'sourceOf'>;
  readonly holdMessage: FindMessage<Tx>;
  readonly loseContent: LoseContent;
  /** Returns whether a message exists and was not unsent. */
  readonly stands: (reader: Reader, messageId: number) => Promise<boolean>;
  readonly forgetBytes: (key: string) => void;
}

/** Returns whether messages may carry the object. Pictures of profiles and groups, and covers, are other objects. */
const isOfMessages = ({ place }: q.ObjectRow): boolean => ['plain', 'sealed'].includes(kindAt(place) ?? '');

const withSides = (oid: string): string[] => [oid, sideName(oid, 'preview'), sideName(oid, 'hash')];

const NOTHING: ObjectSources = { groups: [], lock: async () => [] };

export function createCarriers(deps: CarrierDeps): Carriers {
  const { loseContent, stands, forgetBytes } = deps;
  /**
   * Returns whether any message needs the object. If the object's name is a message id, that message needs the object
   * too.
   */
  async function isNeeded(tx: Tx, ownerId: number, oid: string): Promise<boolean> {
    const id = messageIdOf(oid);
    if (id !== undefined && (await stands(tx, id))) return true;
    return (await tx.one(q.someCarrier, ownerId, oid)) !== undefined;
  }

  return {
    async find(tx, sends) {
      if (sends.every(({ oid, expects }) => !oid && expects === undefined)) return NOTHING;
      const mentions = await findSources(tx, deps, sends);
      const groups = mentions.flatMap(({ senderId, source }) =>
        source?.groupMid ? [{ mid: source.groupMid, accountId: senderId }] : [],
      );
      return { groups, lock: () => lockNamed(tx, deps, mentions) };
    },

    async carry(tx, messages) {
      if (messages.length === 0) return;
      const rows = messages.map(({ chatId, messageId, object }) => [chatId, messageId, object.oid, object.ownerId]);
      await tx.each(q.carryObjects, rows);
    },

    async drop(tx, { chatId, messageId, senderId }) {
      const dropped = await tx.all(q.dropCarriers, chatId, messageId);
      const keys: string[] = [];
      for (const { oid, owner_id } of [...dropped, { oid: String(messageId), owner_id: senderId }]) {
        // Another transaction may be adding or removing a message that carries the object. Its lock is waited for.
        await tx.one(q.lockObject, owner_id, oid);
        if (await isNeeded(tx, owner_id, oid)) continue;
        keys.push(...(await removeObjects(tx, loseContent, owner_id, withSides(oid))));
      }
      tx.onCommit(() => {
        for (const key of keys) forgetBytes(key);
      });
    },
  };
}

/** A send that may name an object, with the message from which the sender knows the object. */
interface SourcedMention extends ObjectMention {
  readonly source: MediaMessage | undefined;
}

const oidsOf = (mentions: readonly ObjectMention[]) =>
  [...new Set(mentions.flatMap(({ oid }) => oid || []))].map((oid) => [oid]);

/** Adds the message from which the sender knows the object to each send that names one of another account. */
async function findSources(
  tx: Tx,
  { readAccess }: CarrierDeps,
  sends: readonly ObjectMention[],
): Promise<SourcedMention[]> {
  const owners = await tx.each(q.ownersNamed, oidsOf(sends));
  const sourced: SourcedMention[] = [];
  for (const send of sends) {
    const { senderId, oid } = send;
    const owner = owners.find((candidate) => candidate.oid === oid);
    // The search runs for an absent object too, so that the duration does not reveal whether another account has this
    // object.
    const foreign = oid && owner?.account_id !== senderId ? (owner ?? { account_id: NOBODY, oid }) : undefined;
    sourced.push({ ...send, source: foreign && (await readAccess.sourceOf(tx, senderId, foreign)) });
  }
  return sourced;
}

/** Locks the objects, in the order of their oids, and checks again that the senders may forward them. */
async function lockNamed(
  tx: Tx,
  deps: CarrierDeps,
  mentions: readonly SourcedMention[],
): Promise<(NamedObject | ApiError | undefined)[]> {
  const rows = await tx.each(q.lockNamed, oidsOf(mentions));
  const found: (NamedObject | ApiError | undefined)[] = [];
  for (const { senderId, oid, expects, source } of mentions) {
    if (expects !== undefined) {
      found.push(await noRoom(tx, deps.quota, senderId, { objects: 1, bytes: expects }));
      continue;
    }
    if (source) await requireUnchanged(tx, deps, senderId, source);
    const row = rows.find((candidate) => candidate.oid === oid && isOfMessages(candidate));
    const may = row && (row.account_id === senderId || source !== undefined);
    found.push(may ? { oid: row.oid, ownerId: row.account_id, whole: row.whole === 1 } : undefined);
  }
  return found;
}

/**
 * Checks that an account can still read a message that was found before its group was locked.
 * @throws Outdated if the message was unsent, or the account has left the group
 */
async function requireUnchanged(
  tx: Tx,
  { holdMessage }: CarrierDeps,
  accountId: number,
  source: MediaMessage,
): Promise<void> {
  const now = await holdMessage(tx, accountId, source.id);
  if (now?.unsent !== source.unsent) throw new Outdated('a message changed while its object was forwarded');
}
