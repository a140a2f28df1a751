// Adds contacts. The caller's row about a contact marks the contact as added. The contact's row about the caller
// records when the caller added the contact.
import { ApiError, contactTypes } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { NewOperation, OperationLog } from '../../platform/stream/operation-log.ts';
import type { AccountRow } from './queries.ts';
import { requireUsers } from './require-users.ts';
import { relationsOf, saveRelation } from './stored-relations.ts';

export interface AddDeps {
  readonly log: OperationLog;
  readonly clock: Clock;
}

export async function addContacts(
  tx: Tx,
  deps: AddDeps,
  call: UserCall,
  reqSeq: number,
  type: number,
  mids: readonly string[],
): Promise<void> {
  const { caller } = call;
  if (mids.includes(caller.mid)) throw new ApiError('NOT_ALLOWED_ADD_CONTACT', 'the caller cannot add itself');
  await addAccounts(tx, deps, call, reqSeq, type, await requireUsers(tx, 'ids', mids));
}

/** Adds one contact, and reports every error about the target as REJECTED_TARGET_USER, as the relation service requires. */
export async function addFriend(
  tx: Tx,
  deps: AddDeps,
  call: UserCall,
  request: { readonly reqSeq?: number; readonly userMid: string; readonly tracking?: Tracking },
): Promise<void> {
  if (request.userMid === call.caller.mid) {
    throw new ApiError('REJECTED_TARGET_USER', 'request.userMid is the mid of the caller itself');
  }
  const { reqSeq = 0, userMid, tracking } = request;
  try {
    await addAccounts(tx, deps, call, reqSeq, typeOf(tracking), await requireUsers(tx, 'request.userMid', [userMid]));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'SESSION_LOGGED_OUT') throw error;
    throw new ApiError('REJECTED_TARGET_USER', error.reason);
  }
}

interface Tracking {
  readonly trackingMeta?: object;
  readonly trackingMetaV2?: object;
}

/**
 * Contact types by the name of a field in `tracking`. The client sets one field, which tells how it found the user.
 * Fields that are not listed here count as MID.
 */
const typeOfArm = {
  byPhone: contactTypes.PHONE,
  bySearchId: contactTypes.USERID,
  searchIdInUnifiedSearch: contactTypes.USERID,
  byUserTicket: contactTypes.QRCODE,
  groupMemberList: contactTypes.GROUP,
  shareContact: contactTypes.CONTACT_MESSAGE,
  friendRequest: contactTypes.FRIEND_REQUEST,
} as const;

function typeOf(tracking: Tracking | undefined): number {
  const arms = { ...tracking?.trackingMeta, ...tracking?.trackingMetaV2 };
  const arm = Object.keys(typeOfArm).find((name) => name in arms);
  return arm === undefined ? contactTypes.MID : typeOfArm[arm as keyof typeof typeOfArm];
}

function requireRequestable(accounts: readonly AccountRow[]): void {
  const refusing = accounts.find((account) => account.refuse_friend_requests === 1);
  if (refusing) throw new ApiError('NOT_ALLOWED_ADD_CONTACT', `${refusing.mid} takes no friend requests`);
}

async function addAccounts(
  tx: Tx,
  { log, clock }: AddDeps,
  { caller }: UserCall,
  reqSeq: number,
  type: number,
  accounts: readonly AccountRow[],
): Promise<void> {
  const self = caller.accountId;
  const heads = await log.lock(tx, [self, ...accounts.map(({ id }) => id)]);
  if (type === contactTypes.FRIEND_REQUEST) requireRequestable(accounts);
  const gone = accounts.find(({ id }) => !heads.has(id));
  if (gone) throw new ApiError('NOT_FOUND', `no user ${gone.mid}`);
  const found = await relationsOf(
    tx,
    accounts.flatMap(({ id }) => [
      [self, id],
      [id, self],
    ]),
  );
  const now = clock.now();
  const operations: NewOperation[] = [];
  for (const account of accounts) {
    const own = found.get(self, account.id);
    if (own.added === 1) continue;
    const theirs = found.get(account.id, self);
    await saveRelation(tx, { ...own, added: 1, added_time: now, type, deleted: 0, recommendation_blocked: 0 });
    await saveRelation(tx, { ...theirs, added_by_time: now });
    operations.push({
      accountId: self,
      to: 'self',
      type: 'ADD_CONTACT',
      reqSeq,
      params: { mid: account.mid, flags: 0 },
    });
    // Somebody who blocked the caller is not notified.
    if (theirs.blocked === 1) continue;
    operations.push({ accountId: account.id, to: 'target', type: 'NOTIFIED_ADD_CONTACT', params: { mid: caller.mid } });
    if (theirs.added === 0 && theirs.recommendation_blocked === 0) {
      operations.push({
        accountId: account.id,
        to: 'target',
        type: 'NOTIFIED_RECOMMEND_CONTACT',
        params: { mid: caller.mid },
      });
    }
  }
  await log.append(tx, operations, heads);
}
