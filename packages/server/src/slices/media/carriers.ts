// Which messages carry which objects: written with the message, dropped with it.
import type { ApiError } from '@sealpost/contract';
import type { Reader, Tx } from '../../platform/store/store.ts';
import { type Access, NOBODY } from './access.ts';
import { messageIdOf, sideName } from './names.ts';
import * as q from './queries.ts';
import { noRoom, type Quota } from './quota.ts';
import { type LoseContent, removeObjects } from './remove-objects.ts';

/** An object that a message names and that its sender may hand on. */
export interface NamedObject {
  readonly oid: string;
  readonly ownerId: number;
  readonly whole: boolean;
}

export interface Naming {
  readonly senderId: number;
  readonly oid: string | undefined;
  /** Bytes of the object that is to be uploaded after the send; undefined where none is. */
  readonly expects: number | undefined;
}

export interface Carriers {
  /**
   * What each send names, undefined where it is nothing or nothing that the sender may hand on: nobody is told whether
   * such an object exists. An error where there is no room for the object that is to follow the send. Held until the end, so that none becomes whole meanwhile.
   */
  named(tx: Tx, sends: readonly Naming[]): Promise<readonly (NamedObject | ApiError | undefined)[]>;
  /** Lets the readers of messages read the objects that these name. */
  carry(
    tx: Tx,
    messages: readonly { readonly chatId: number; readonly messageId: number; readonly object: NamedObject }[],
  ): Promise<void>;
  /** Takes from a message what it carries. Objects that nobody can reach any more go too. */
  drop(
    tx: Tx,
    message: { readonly chatId: number; readonly messageId: number; readonly senderId: number },
  ): Promise<void>;
}

export interface CarrierDeps {
  readonly quota: Quota;
  readonly access: Access<Tx>;
  readonly loseContent: LoseContent;
  /** Whether a message is there and was not taken back. */
  readonly stands: (reader: Reader, messageId: number) => Promise<boolean>;
  readonly forgetBytes: (key: string) => void;
}

const withSides = (oid: string): string[] => [oid, sideName(oid, 'preview'), sideName(oid, 'hash')];

export function createCarriers({ quota, access, loseContent, stands, forgetBytes }: CarrierDeps): Carriers {
  /** A plain object belongs to the message whose id it has, whoever carries it besides. */
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
        const row = rows.find((candidate) => candidate.oid === oid);
        // Asked for an absent one too: a foreign one takes no longer.
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
        if (await isNeeded(tx, owner_id, oid)) continue;
        keys.push(...(await removeObjects(tx, loseContent, owner_id, withSides(oid))));
      }
      tx.onCommit(() => {
        for (const key of keys) forgetBytes(key);
      });
    },
  };
}
