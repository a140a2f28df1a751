// Keys of groups and rooms. A group key is valid while its shares are for exactly the present members, each wrapped for
// the member's current key. If a member joins, leaves or registers a new key, the chat has no valid group key until
// somebody registers a new one.
import { ApiError, type E2EEGroupSharedKey, type MethodArgs } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import { lockAsMember } from '../chats/index.ts';
import { absent } from '../messaging/index.ts';
import { isBase64Of } from './base64-bytes.ts';
import * as q from './queries.ts';
import { ALLOWED_TYPES, KEY_VERSION, type Recipient, requireRecipients, SPEC_VERSION } from './sealing.ts';

type RegisterArgs = MethodArgs<'TalkService.registerE2EEGroupKey'>;

interface Share {
  readonly mid: string;
  readonly keyId: number;
  readonly encryptedSharedKey: string;
}

/** The time from which the ids of group keys count seconds, in epoch milliseconds. */
const IDS_BEGIN = Date.UTC(2024, 0, 1);

/** Size in bytes of a share: a private key of 32 bytes, padded and encrypted. */
const SHARE_BYTES = 48;

/** Returns the id of a chat. Throws if the caller is not a member of the chat. */
export async function requireMemberChat(reader: Reader, caller: Caller, chatMid: string): Promise<number> {
  const chat = await reader.one(q.chatOfMember, chatMid, caller.accountId);
  if (!chat) throw absent('chatMid', chatMid);
  return chat.chat_id;
}

export async function registerGroupKey(
  tx: Tx,
  clock: Clock,
  caller: Caller,
  [, chatMid, mids, keyIds, encryptedSharedKeys]: RegisterArgs,
): Promise<E2EEGroupSharedKey> {
  const shares = sharesFrom(mids, keyIds, encryptedSharedKeys);
  // While this lock is held, nobody joins or leaves.
  const { chatId } = await lockAsMember(tx, caller, 'chatMid', chatMid);
  const recipients = await requireRecipients(tx, chatId);
  const rows = rowsFor(recipients, shares);
  const newest = await tx.one(q.newestGroupKey, chatId);
  if (newest?.creator_id === caller.accountId) {
    const known = await tx.all(q.sharesOf, chatId, newest.group_key_id);
    if (isSame(known, rows)) {
      await tx.run(q.setGroupKey, newest.group_key_id, newestOf(recipients), chatId);
      return ownShare(tx, caller, chatId, newest.group_key_id);
    }
  }
  const groupKeyId = nextId(newest?.group_key_id ?? 0, clock.now());
  const creator = recipients.find((recipient) => recipient.accountId === caller.accountId) as Recipient;
  await tx.run(q.insertGroupKey, chatId, groupKeyId, caller.accountId, creator.key.keyId, clock.now());
  await tx.each(
    q.insertShares,
    rows.map((row) => [chatId, groupKeyId, row.account_id, row.key_id, row.encrypted_shared_key]),
  );
  await tx.run(q.setGroupKey, groupKeyId, newestOf(recipients), chatId);
  return ownShare(tx, caller, chatId, groupKeyId);
}

/**
 * Returns an id above the chat's earlier ids, also above those that a restored backup does not have. Devices keep each
 * group key under its id for ever, so an id must not be given twice.
 */
const nextId = (earlier: number, now: number): number => Math.max(earlier + 1, Math.floor((now - IDS_BEGIN) / 1000));

/** Returns the caller's share of one group key, which may be an old key. */
export async function ownShare(
  reader: Reader,
  caller: Caller,
  chatId: number,
  groupKeyId: number,
): Promise<E2EEGroupSharedKey> {
  const share = await reader.one(q.shareOf, chatId, groupKeyId, caller.accountId);
  if (!share)
    throw new ApiError('NOT_FOUND', `not found: groupKeyId: the caller has no share of the group key ${groupKeyId}`);
  return {
    keyVersion: KEY_VERSION,
    groupKeyId: share.group_key_id,
    creator: share.creator_mid,
    creatorKeyId: share.creator_key_id,
    receiver: caller.mid,
    receiverKeyId: share.key_id,
    encryptedSharedKey: share.encrypted_shared_key,
    allowedTypes: [...ALLOWED_TYPES],
    specVersion: SPEC_VERSION,
  };
}

/** Returns the caller's share of the group key that messages must be sealed with now. */
export async function ownShareOfLast(reader: Reader, caller: Caller, chatMid: string): Promise<E2EEGroupSharedKey> {
  const chatId = await requireMemberChat(reader, caller, chatMid);
  const recipients = await requireRecipients(reader, chatId);
  const key = await reader.one(q.groupKeyOf, chatId);
  // After NOT_FOUND, clients register a new group key. That is needed if the chat has no group key, or if its group key
  // is no longer valid.
  if (!key?.group_key_id || key.group_key_covers !== newestOf(recipients)) {
    throw new ApiError('NOT_FOUND', `not found: chatMid: ${chatMid} has no valid group key; register one`);
  }
  return ownShare(reader, caller, chatId, key.group_key_id);
}

function sharesFrom(
  mids: readonly string[],
  keyIds: readonly number[],
  encryptedSharedKeys: readonly string[],
): ReadonlyMap<string, Share> {
  const wrong = (what: string) => new ApiError('E2EE_INVALID_ARGUMENT', what);
  if (keyIds.length !== mids.length || encryptedSharedKeys.length !== mids.length) {
    throw wrong(
      `members, keyIds and encryptedSharedKeys are parallel: there are ${mids.length}, ${keyIds.length} and ${encryptedSharedKeys.length}`,
    );
  }
  const shares = new Map<string, Share>();
  for (const [i, mid] of mids.entries()) {
    const encryptedSharedKey = encryptedSharedKeys[i] as string;
    if (shares.has(mid)) throw wrong(`members: ${mid.slice(0, 40)} is there twice`);
    if (!isBase64Of(encryptedSharedKey, SHARE_BYTES)) {
      throw wrong(`encryptedSharedKeys: number ${i} is not base64 of ${SHARE_BYTES} bytes`);
    }
    shares.set(mid, { mid, keyId: keyIds[i] as number, encryptedSharedKey });
  }
  return shares;
}

interface StoredShare {
  readonly account_id: number;
  readonly key_id: number;
  readonly encrypted_shared_key: string;
}

/**
 * Returns one share for each recipient, in the order of the recipients.
 * @throws E2EE_RECREATE_GROUP_KEY if the shares do not fit the members and their keys. Clients then fetch the members
 * and their keys again.
 */
function rowsFor(recipients: readonly Recipient[], shares: ReadonlyMap<string, Share>): readonly StoredShare[] {
  const changed = () => new ApiError('E2EE_RECREATE_GROUP_KEY', 'member count mismatch');
  if (shares.size !== recipients.length) throw changed();
  return recipients.map(({ accountId, mid, key }) => {
    const share = shares.get(mid);
    if (share?.keyId !== key.keyId) throw changed();
    return { account_id: accountId, key_id: share.keyId, encrypted_shared_key: share.encryptedSharedKey };
  });
}

/** Returns whether two lists of shares are equal. Both lists are sorted by account id. */
const isSame = (known: readonly StoredShare[], rows: readonly StoredShare[]): boolean =>
  known.length === rows.length &&
  known.every(
    (share, i) =>
      share.account_id === rows[i]?.account_id &&
      share.key_id === rows[i].key_id &&
      share.encrypted_shared_key === rows[i].encrypted_shared_key,
  );

/**
 * Returns the id of the newest key among the recipients' keys. Key ids rise across all accounts. So the id of a key
 * that a member registers later is greater than the id recorded with an older group key.
 */
const newestOf = (recipients: readonly Recipient[]): number =>
  Math.max(0, ...recipients.map((recipient) => recipient.key.keyId));
