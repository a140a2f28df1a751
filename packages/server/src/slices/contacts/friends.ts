// Tells the friends of an account of a change. Friends are the accounts that have it as a contact. Usually they are
// told in the transaction of the change. An official account may have so many that all others would wait for this
// transaction. Then the news is stored with the change, and told afterwards in small transactions.
import type { NamedOperation } from '@sealpost/contract';
import { oneAtATime } from '../../platform/kernel/one-at-a-time.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Heads, NewOperation, OperationLog } from '../../platform/stream/operation-log.ts';
import * as q from './queries.ts';

export type FriendNews = Extract<
  NamedOperation,
  { readonly type: 'NOTIFIED_UPDATE_PROFILE' | 'NOTIFIED_UNREGISTER_USER' }
>;

/** The friends of an account. They stay its friends until the transaction ends, unless they are told later. */
export interface LockedFriends {
  readonly toldLater: boolean;
  /** Appends operations to the account's own log, and tells the news to its friends. */
  tell(own: readonly NewOperation[], news: FriendNews | undefined): Promise<void>;
}

/** Maximum number of friends that are told in the transaction of the change. */
const MOST_AT_ONCE = 1000;
/** Maximum number of friends that one later transaction tells. */
const BATCH = 500;
/** Maximum number of later transactions in a row. */
const STEPS = 20;

const friendsAfter = async (tx: Tx, accountId: number, after: number, limit: number): Promise<number[]> =>
  (await tx.all(q.addedByIds, accountId, after, limit)).map((row) => row.contact_id);

const newsFor = (friends: readonly number[], news: FriendNews): NewOperation[] =>
  friends.map((accountId) => ({ accountId, to: 'friends', ...news }));

/**
 * Locks the logs of an account, of its friends unless they are told later, and of the other given accounts. Who adds
 * the account locks its log too, and so either sees the change, or is told of it.
 */
export async function lockFriends(
  tx: Tx,
  log: OperationLog,
  accountId: number,
  others: readonly number[] = [],
): Promise<LockedFriends> {
  const find = async () => {
    const newest = (await tx.one(q.newestOwed, accountId))?.number ?? 0;
    const ids = await friendsAfter(tx, accountId, 0, MOST_AT_ONCE + 1);
    // Earlier news comes first, also if few friends are left.
    return { newest, ids: newest > 0 || ids.length > MOST_AT_ONCE ? undefined : ids };
  };
  const { found, heads } = await log.lockFound(tx, find, ({ ids = [] }) => [accountId, ...others, ...ids]);
  return {
    toldLater: found.ids === undefined,
    tell: (own, news) => tell(tx, log, heads, own, news && { accountId, news, ...found }),
  };
}

interface ToTell {
  readonly accountId: number;
  readonly news: FriendNews;
  /** The friends to tell at once; undefined if all are told later. */
  readonly ids: readonly number[] | undefined;
  /** The number of the newest news that the account owes its friends. */
  readonly newest: number;
}

async function tell(
  tx: Tx,
  log: OperationLog,
  heads: Heads,
  own: readonly NewOperation[],
  toTell: ToTell | undefined,
): Promise<void> {
  await log.append(tx, [...own, ...(toTell?.ids ? newsFor(toTell.ids, toTell.news) : [])], heads);
  if (!toTell || toTell.ids) return;
  await tx.run(q.oweNews, toTell.accountId, toTell.newest + 1, JSON.stringify(toTell.news));
}

/** Returns a function that tells some of the news that accounts owe their friends. */
export const createOwedNews = (store: Store, log: OperationLog): (() => Promise<void>) =>
  oneAtATime(async () => {
    for (let step = 0; step < STEPS && (await tellSome(store, log)); step += 1);
  });

/** Tells the next friends of one account. Returns false if no account owes any news. */
const tellSome = (store: Store, log: OperationLog): Promise<boolean> =>
  store.transact(async (tx) => {
    // Other servers wait for this row. So the news of an account is told in order.
    const owed = await tx.one(q.firstOwed);
    if (!owed) return false;
    const { account_id: accountId, number } = owed;
    const news: FriendNews = JSON.parse(owed.news);
    const find = () => friendsAfter(tx, accountId, owed.told_to, BATCH);
    const { found: friends, heads } = await log.lockFound(tx, find, (ids) => ids);
    await log.append(tx, newsFor(friends, news), heads);
    const isLast = friends.length < BATCH;
    if (news.type === 'NOTIFIED_UNREGISTER_USER') await forgetFriends(tx, accountId, friends, isLast);
    if (isLast) await tx.run(q.deleteOwed, accountId, number);
    else await tx.run(q.noteTold, friends.at(-1) ?? 0, accountId, number);
    return true;
  });

/** Removes what a deleted account and these friends keep about each other; with the last ones, all that remains. */
async function forgetFriends(tx: Tx, accountId: number, friends: readonly number[], areLast: boolean): Promise<void> {
  await tx.each(
    q.deleteRelation,
    friends.flatMap((id) => [
      [accountId, id],
      [id, accountId],
    ]),
  );
  if (areLast) await forgetRelations(tx, accountId);
}

/** Removes what a deleted account keeps about others, and what others keep about it. */
export async function forgetRelations(tx: Tx, accountId: number): Promise<void> {
  await tx.run(q.deleteRelations, accountId);
  await tx.run(q.deleteRelationsTo, accountId);
}
