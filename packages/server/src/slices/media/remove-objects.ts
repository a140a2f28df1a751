import type { Objects } from '../../platform/objects/objects.ts';
import { Outdated, type Store, type Tx } from '../../platform/store/store.ts';
import { messageIdOf } from './names.ts';
import * as q from './queries.ts';

/**
 * Removes the rows of the named objects of an account; names without a row are ignored. Returns the keys of bytes that
 * may now be unused.
 */
export async function removeRows(tx: Tx, accountId: number, oids: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const oid of oids) {
    const row = await tx.one(q.deleteObject, accountId, oid);
    if (!row) continue;
    await tx.run(q.addUsage, -1, -row.reserved, accountId);
    keys.push(row.object_key);
  }
  return keys;
}

/** Marks messages as having content after an account has uploaded their object. */
export type GainContent = (tx: Tx, messageIds: readonly number[], uploaderId: number) => Promise<void>;
/** Marks messages as having no content any more. */
export type LoseContent = (tx: Tx, messageIds: readonly number[]) => Promise<void>;

/** Locks messages, in the order of their ids. */
export type HoldMessages = (tx: Tx, messageIds: readonly number[]) => Promise<void>;

const ownMessages = (oids: readonly string[]): number[] => oids.flatMap((oid) => messageIdOf(oid) ?? []);

/** Removes objects as `removeRows` does, and marks the messages that carried them as having no content. */
export async function removeObjects(
  tx: Tx,
  loseContent: LoseContent,
  accountId: number,
  oids: readonly string[],
): Promise<string[]> {
  const keys = await removeRows(tx, accountId, oids);
  await loseContent(tx, await messagesOf(tx, accountId, oids));
  return keys;
}

/** Returns the messages that carry objects, and those that the objects are named after. */
async function messagesOf(tx: Tx, accountId: number, oids: readonly string[]): Promise<number[]> {
  const carriers = await tx.each(
    q.carriersOf,
    oids.map((oid) => [accountId, oid]),
  );
  return [...ownMessages(oids), ...carriers.map(({ message_id }) => message_id)];
}

/**
 * Locks the messages of objects and then, with `lockObjects`, the objects. Other changes keep this order too, so no two
 * transactions wait for each other. Returns the messages, and the result of `lockObjects`.
 * @throws Outdated if another message began to carry an object before the object was locked
 */
export async function lockWithMessages<T>(
  tx: Tx,
  holdMessages: HoldMessages,
  accountId: number,
  oids: readonly string[],
  lockObjects: () => Promise<T>,
): Promise<{ messageIds: readonly number[]; locked: T }> {
  const held = new Set(await messagesOf(tx, accountId, oids));
  await holdMessages(tx, [...held]);
  const locked = await lockObjects();
  const messageIds = await messagesOf(tx, accountId, oids);
  if (!messageIds.every((id) => held.has(id))) throw new Outdated('another message carries an object now');
  return { messageIds, locked };
}

/** Removes all objects of an account. Returns the keys of bytes that may now be unused. */
export async function removeAccount(tx: Tx, loseContent: LoseContent, accountId: number): Promise<string[]> {
  const rows = await tx.all(q.deleteObjectsOf, accountId);
  const carriers = await tx.all(q.dropCarriersOf, accountId);
  await tx.run(q.dropUsage, accountId);
  const own = ownMessages(rows.map(({ oid }) => oid));
  await loseContent(tx, [...own, ...carriers.map(({ message_id }) => message_id)]);
  return rows.map((row) => row.object_key);
}

/** Removes the bytes under a key unless a row names the key. If this fails, the sweep removes the bytes later. */
export async function removeBytes(store: Store, objects: Objects, key: string): Promise<void> {
  const used = await store.read((reader) => reader.one(q.keyInUse, key));
  if (!used) await objects.remove(key);
}
