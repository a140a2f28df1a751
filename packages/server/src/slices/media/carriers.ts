// Records which messages carry which objects. The record of a message is written and removed together with the message.
import type { ApiError } from '@sealpost/contract';
import type { Reader, Tx } from '../../platform/store/store.ts';
import { type Access, NOBODY } from './access.ts';
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

export interface Carriers {
  /**
   * Returns one result per send: the named object, undefined or an error. Undefined means that the send names no
   * object, or one that the sender may not forward. The two cases look alike, so that nobody learns whether an object
   * exists. The error says that the sender's quota has no room for the upload that follows. The objects stay locked
   * until the transaction ends, so that no upload to them completes before that.
   */
  named(tx: Tx, sends: readonly ObjectMention[]): Promise<readonly (NamedObject | ApiError | undefined)[]>;
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
  readonly access: Access<Tx>;
  readonly loseContent: LoseContent;
  /** Returns whether a message exists and was not unsent. */
  readonly stands: (reader: Reader, messageId: number) => Promise<boolean>;
  readonly forgetBytes: (key: string) => void;
}

/** Returns whether messages may carry the object. Pictures of profiles and groups, and covers, are other objects. */
const isOfMessages = ({ place }: q.ObjectRow): boolean => ['plain', 'sealed'].includes(kindAt(place) ?? '');

const withSides = (oid: string): string[] => [oid, sideName(oid, 'preview'), sideName(oid, 'hash')];

export function createCarriers({ quota, access, loseContent, stands, forgetBytes }: CarrierDeps): Carriers {
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
    async named(tx, sends) {
      const oids = [...new Set(sends.flatMap(({ oid }) => oid || []))].sort();
      if (oids.length === 0 && sends.every(({ expects }) => expects === undefined)) return [];
      const rows = await tx.each(
        q.lockNamed,
        oids.map((oid) => [oid]),
      );
      const found: (NamedObject | ApiError | undefined)[] = [];
      for (const { senderId, oid, expects } of sends) {
        if (expects !== undefined) {
          found.push(await noRoom(tx, quota, senderId, { objects: 1, bytes: expects }));
          continue;
        }
        const row = rows.find((candidate) => candidate.oid === oid && isOfMessages(candidate));
        // The check runs for an absent object too, so that the duration does not reveal whether another account has
        // this object.
        const may = oid && (await access.mayForward(tx, senderId, row ?? { account_id: NOBODY, oid }));
        found.push(row && may ? { oid: row.oid, ownerId: row.account_id, whole: row.whole === 1 } : undefined);
      }
      return found;
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
