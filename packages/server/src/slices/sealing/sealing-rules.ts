// The rules that decide whether a chat accepts a message. A chat accepts sealed messages if all its members can open
// them. It accepts plain messages if some member cannot open sealed ones. The rules read only rows that the send has
// locked. So the rules cost no query. No other server can change a key or a setting between the check and the storing
// of the message.
import { ApiError, contentTypes, type OutgoingMessage } from '@sealpost/contract';
import { headerOf, isSealed, type SealingRules } from '../messaging/index.ts';
import { ALLOWED_TYPES, MOST_MEMBERS } from './sealing.ts';

type Rule = Parameters<SealingRules>;
type Target = Rule[1];
type Heads = Rule[2];

/** Returns the id of an account's current key; 0 if messages cannot be sealed for the account. */
const keyOf = (heads: Heads, accountId: number): number => heads.get(accountId)?.sealing_key_id ?? 0;

export const sealingRules: SealingRules = (send, target, heads) => {
  const senderKeyId = keyOf(heads, send.caller.accountId);
  if (!isSealed(send.message)) requirePlainAllowed(send.message, senderKeyId, target, heads);
  else if (target.peer) requirePeerKeys(send.message, senderKeyId, target, heads);
  else requireGroupKeys(send.message, senderKeyId, target, heads);
};

function requirePlainAllowed(message: OutgoingMessage, senderKeyId: number, target: Target, heads: Heads): void {
  if (senderKeyId === 0 || !hasSealable(message) || !canAllBeSealedFor(target, heads) || isAlone(target)) return;
  // Clients cannot seal messages for a group without a group key, and only this error makes them register one.
  if (!target.peer && currentGroupKey(senderKeyId, target, heads) === 0) throw new ApiError('E2EE_RECREATE_GROUP_KEY');
  throw new ApiError('E2EE_RETRY_ENCRYPT');
}

function requirePeerKeys(message: OutgoingMessage, senderKeyId: number, target: Target, heads: Heads): void {
  const [peerId] = target.recipientIds;
  const receiverKeyId = peerId === undefined ? senderKeyId : keyOf(heads, peerId);
  if (senderKeyId === 0) throw new ApiError('E2EE_SENDER_DISABLED');
  if (receiverKeyId === 0) throw new ApiError('E2EE_RECEIVER_DISABLED');
  const named = requireHeader(message, senderKeyId);
  if (named.receiverKeyId !== receiverKeyId) throw new ApiError('E2EE_UPDATE_RECEIVER_KEY');
}

function requireGroupKeys(message: OutgoingMessage, senderKeyId: number, target: Target, heads: Heads): void {
  if (isTooLarge(target)) throw new ApiError('E2EE_GROUP_TOO_MANY_MEMBERS');
  if (senderKeyId === 0 || !canAllBeSealedFor(target, heads)) throw new ApiError('E2EE_RETRY_PLAIN');
  const named = requireHeader(message, senderKeyId);
  const groupKeyId = currentGroupKey(senderKeyId, target, heads);
  if (groupKeyId === 0 || named.receiverKeyId !== groupKeyId) throw new ApiError('E2EE_RECREATE_GROUP_KEY');
}

function requireHeader(message: OutgoingMessage, senderKeyId: number) {
  const type = message.contentType ?? contentTypes.NONE;
  if (!ALLOWED_TYPES.includes(type)) {
    throw new ApiError('E2EE_RECEIVER_NOT_ALLOWED', `message.contentType ${type} cannot be sealed`);
  }
  const named = headerOf(message);
  if (named.senderKeyId !== senderKeyId) throw new ApiError('E2EE_UPDATE_SENDER_KEY');
  return named;
}

/** Returns whether a message has content that can be sealed. A sticker, for example, has none. */
function hasSealable({ contentType = contentTypes.NONE, text }: OutgoingMessage): boolean {
  return contentType === contentTypes.NONE ? !!text : ALLOWED_TYPES.includes(contentType);
}

/**
 * Returns whether the sender is a group's only member and so may send plain messages. Some clients create no group key
 * while they are alone, so all their messages would be refused until somebody joins. Invitees lose nothing, because
 * they only read messages that are sent after they join.
 */
const isAlone = ({ peer, recipientIds }: Target): boolean => !peer && recipientIds.length === 0;

const isTooLarge = ({ recipientIds }: Target): boolean => recipientIds.length >= MOST_MEMBERS;

const canAllBeSealedFor = (target: Target, heads: Heads): boolean =>
  !(!target.peer && isTooLarge(target)) && target.recipientIds.every((id) => keyOf(heads, id) !== 0);

/** Returns the id of the chat's group key; 0 if no key is wrapped for the current keys of all members. */
function currentGroupKey(senderKeyId: number, { key, recipientIds }: Target, heads: Heads): number {
  const newest = Math.max(senderKeyId, ...recipientIds.map((id) => keyOf(heads, id)));
  return key?.covers === newest ? key.id : 0;
}
