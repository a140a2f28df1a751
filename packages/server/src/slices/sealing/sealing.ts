// Decides which accounts and chats accept sealed messages. An account accepts them if it has a key and has Letter
// Sealing on. A chat accepts them if all its members do.
import { type AccountKey, ApiError, contentTypes, type E2EEPublicKey, limits, midPrefix } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';

/** `KEY_VERSION` is the only version of keys. `SPEC_VERSION` is the version in which messages are sealed. */
export const KEY_VERSION = 1;
export const SPEC_VERSION = 2;

/** Content types that may be sealed. */
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

/** Returns the account as a recipient; undefined if messages cannot be sealed for it. */
export function recipientFrom(row: q.SealingRow | undefined): Recipient | undefined {
  if (!row || row.sealing_off || row.key_id === null) return undefined;
  return { accountId: row.account_id, mid: row.mid, key: toPublicKey(row as q.KeyRow) };
}

/**
 * Returns the members of a chat, each with its current key.
 * @throws E2EE_RETRY_PLAIN if messages cannot be sealed for some member
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

/** Returns whether messages in a chat must be sealed, judged by what the caller can see of the chat. */
export async function isSealed(reader: Reader, { caller }: { caller: Caller }, chatMid: string): Promise<boolean> {
  if (chatMid.startsWith(midPrefix.user)) {
    const parties = [await reader.one(q.sealingOfMid, caller.mid), await reader.one(q.sealingOfMid, chatMid)];
    return parties.every((party) => recipientFrom(party) !== undefined);
  }
  const chat = await reader.one(q.chatOfMember, chatMid, caller.accountId);
  if (!chat) return false;
  const members = await reader.all(q.sealingOfMembers, chat.chat_id);
  // The only member of a group may send plain messages; see sealing-rules.ts.
  if (members.length < 2) return false;
  return members.length <= MOST_MEMBERS && members.every((member) => recipientFrom(member) !== undefined);
}

/** Returns whether an account takes part in Letter Sealing: it has a key, and has Letter Sealing on. */
export const canSeal = async (reader: Reader, mid: string): Promise<boolean> =>
  recipientFrom(await reader.one(q.sealingOfMid, mid)) !== undefined;

/** Returns an account's newest key, even if it has Letter Sealing off; undefined if it has no key. */
export async function accountKeyOf(reader: Reader, accountId: number): Promise<AccountKey | undefined> {
  const row = await reader.one(q.newestKeyOf, accountId);
  return row && { keyId: row.key_id, publicKey: row.key_data };
}

/**
 * Updates the key id that sends read. Every transaction that changes the account's sealing setting must call this
 * function.
 */
export const sealingChanged = (tx: Tx, accountId: number): Promise<void> => tx.run(q.setSealingKey, accountId);
