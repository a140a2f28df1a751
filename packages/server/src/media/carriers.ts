// Which messages carry which objects: written with the message, dropped with it.
import type { Tx } from '../store/store.ts';
import type { Access } from './access.ts';
import { sideName } from './names.ts';
import * as q from './queries.ts';
import { removeRows } from './remove.ts';

/** A stored message whose metadata name an object. */
export interface Carrying {
  readonly chatId: number;
  readonly messageId: number;
  readonly senderId: number;
  readonly oid: string;
}

export interface Carriers {
  /** Lets the readers of messages read the objects that these name, where the sender may hand them on. */
  carry(tx: Tx, messages: readonly Carrying[]): Promise<void>;
  /** Takes from a message what it carries. Objects that nobody can reach any more go too. */
  drop(
    tx: Tx,
    message: { readonly chatId: number; readonly messageId: number; readonly senderId: number },
  ): Promise<void>;
}

export function createCarriers(access: Access, forgetBytes: (key: string) => void): Carriers {
  return {
    async carry(tx, messages) {
      const rows: (string | number)[][] = [];
      for (const { chatId, messageId, senderId, oid } of messages) {
        const object = await tx.one(q.objectByOid, oid);
        // A name that the sender has no right to opens nothing, and nobody is told whether it exists.
        if (!object || !(await access.mayForward(tx, senderId, object))) continue;
        rows.push([chatId, messageId, oid, object.account_id]);
      }
      if (rows.length > 0) await tx.each(q.carryObjects, rows);
    },

    async drop(tx, { chatId, messageId, senderId }) {
      const keys: string[] = [];
      for (const { oid, owner_id } of await tx.all(q.dropCarriers, chatId, messageId)) {
        if (await tx.one(q.someCarrier, owner_id, oid)) continue;
        keys.push(...(await removeRows(tx, owner_id, [oid, sideName(oid, 'preview'), sideName(oid, 'hash')])));
      }
      const own = String(messageId);
      keys.push(...(await removeRows(tx, senderId, [own, sideName(own, 'preview')])));
      tx.onCommit(() => {
        for (const key of keys) forgetBytes(key);
      });
    },
  };
}
