// Who can be sealed for: an account whose setting is on and that has a key; a chat all of whose members are such.
import { type AccountKey, ApiError, contentTypes, type E2EEPublicKey, limits, midPrefix } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';

/** The one version of keys; which version messages are sealed in is `SPEC_VERSION`. */
export const KEY_VERSION = 1;
export const SPEC_VERSION = 2;

/** Content that may be sealed. */
export const ALLOWED_TYPES: readonly number[] = [
  contentTypes.NONE,
  contentTypes.IMAGE,
  contentTypes.VIDEO,
  contentTypes.AUDIO,
  contentTypes.FILE,
  contentTypes.LOCATION,
];

export const MOST_MEMBERS = limits.chatMembers.value;

export interface Recipient {
  readonly accountId: number;
  readonly mid: string;
  readonly key: E2EEPublicKey;
}

export const toPublicKey = (row: q.KeyRow): E2EEPublicKey => ({
  version: KEY_VERSION,
  keyId: row.key_id,
  keyData: row.key_data,
  createdTime: String(row.created_time),
});

/** Undefined for an account that can not be sealed for. */
export function recipientFrom(row: q.SealingRow | undefined): Recipient | undefined {
  if (!row || row.sealing_off || row.key_id === null) return undefined;
  return { accountId: row.account_id, mid: row.mid, key: toPublicKey(row as q.KeyRow) };
}

/**
 * The members of a chat, each with its current key.
 * @throws E2EE_RETRY_PLAIN if a member can not be sealed for: it could not read the chat
 */
export async function requireRecipients(reader: Reader, chatId: number): Promise<readonly Recipient[]> {
  const members = await reader.all(q.sealingOfMembers, chatId);
  if (members.length > MOST_MEMBERS) throw new ApiError('E2EE_GROUP_TOO_MANY_MEMBERS');
  return members.map((member) => {
    const recipient = recipientFrom(member);
    if (!recipient) throw new ApiError('E2EE_RETRY_PLAIN');
    return recipient;
  });
}

/** Whether messages of the caller's chat are to be sealed. */
export async function isSealed(reader: Reader, { caller }: { caller: Caller }, chatMid: string): Promise<boolean> {
  if (chatMid.startsWith(midPrefix.user)) {
    const parties = [await reader.one(q.sealingOfMid, caller.mid), await reader.one(q.sealingOfMid, chatMid)];
    return parties.every((party) => recipientFrom(party) !== undefined);
  }
  const chat = await reader.one(q.chatOfMember, chatMid, caller.accountId);
  if (!chat) return false;
  const members = await reader.all(q.sealingOfMembers, chat.chat_id);
  // A member who is alone may write in the clear: see sealing-rules.ts.
  if (members.length < 2) return false;
  return members.length <= MOST_MEMBERS && members.every((member) => recipientFrom(member) !== undefined);
}

/** Whether an account takes part: it has a key and its setting is on. */
export const canSeal = async (reader: Reader, mid: string): Promise<boolean> =>
  recipientFrom(await reader.one(q.sealingOfMid, mid)) !== undefined;

/** The newest key of an account, whether it takes part or not; undefined if it has none. */
export async function accountKeyOf(reader: Reader, accountId: number): Promise<AccountKey | undefined> {
  const row = await reader.one(q.newestKeyOf, accountId);
  return row && { keyId: row.key_id, publicKey: row.key_data };
}

/** To be called in every transaction that changes the setting of an account. */
export const sealingChanged = (tx: Tx, accountId: number): Promise<void> => tx.run(q.setSealingKey, accountId);
