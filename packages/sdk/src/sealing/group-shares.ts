// Checks shares of group keys from the server: who made the key, and whether it may be used. The creator of a group key
// can read what is sealed with it. Together with the server, the creator can also write in the name of every member.
import type { E2EEGroupSharedKey } from '@sealpost/contract';
import { type KeyPair, OpenError, unwrapGroupKey } from '@sealpost/crypto';
import { KeyTrustError } from '../trust/key-trust-error.ts';
import type { ChatMembers } from './chat-members.ts';
import type { OwnKeys } from './own-keys.ts';
import type { PeerKeys } from './peer-keys.ts';
import { UnopenedError } from './reasons.ts';

export interface ShareDeps {
  readonly own: OwnKeys;
  readonly peers: PeerKeys;
  readonly members: ChatMembers;
}

/**
 * Returns the key to seal with. A member must have made the key, with that member's current key.
 * @throws KeyTrustError if the group key must not be used for sealing; UnopenedError if the share does not open
 */
export async function unwrapToSeal(deps: ShareDeps, chatMid: string, share: E2EEGroupSharedKey): Promise<KeyPair> {
  const { creator, groupKeyId } = share;
  await requireMembers(deps.members, chatMid, [creator], `made group key ${groupKeyId}`);
  const member = await deps.own.require(share.receiverKeyId, 'wrong-receiver');
  return opened(share, member.privateKey, await newestKeyOfCreator(deps, chatMid, share));
}

/** Returns the key to open messages with, which may be an old key. `proven` is true if a member made the key. */
export async function unwrapToOpen(
  deps: ShareDeps,
  chatMid: string,
  share: E2EEGroupSharedKey,
): Promise<{ readonly pair: KeyPair; readonly proven: boolean }> {
  const { own, peers, members } = deps;
  const { creator, creatorKeyId } = share;
  const member = await own.require(share.receiverKeyId, 'wrong-receiver');
  const key =
    creator === own.mid ? await own.require(creatorKeyId, 'wrong-sender') : await peers.find(creator, creatorKeyId);
  if (!key)
    throw new UnopenedError(
      'wrong-sender',
      `key ${creatorKeyId}, with which the group key was made, does not belong to its creator`,
    );
  const pair = await opened(share, member.privateKey, key.publicKey);
  return { pair, proven: creator === own.mid || (await isMember(members, chatMid, creator)) };
}

async function isMember(members: ChatMembers, chatMid: string, mid: string): Promise<boolean> {
  if ((await members.of(chatMid)).has(mid)) return true;
  // A new member may be missing in the cached list, so the list is loaded again.
  members.forget(chatMid);
  return (await members.of(chatMid)).has(mid);
}

/**
 * Passes if all of `mids` are members of the chat.
 * @param whatTheyDid a part of the error text, for example `made group key 3`
 * @throws KeyTrustError if one of `mids` is not a member
 */
export async function requireMembers(
  members: ChatMembers,
  chatMid: string,
  mids: readonly string[],
  whatTheyDid: string,
): Promise<void> {
  const known = await members.of(chatMid);
  const stranger = mids.find((mid) => !known.has(mid));
  if (stranger === undefined) return;
  const found = `the server says that ${stranger} ${whatTheyDid} of ${chatMid}, and does not list ${stranger} as a member of it`;
  throw new KeyTrustError('not-a-member', found, { mid: stranger });
}

async function newestKeyOfCreator(
  { own, peers }: ShareDeps,
  chatMid: string,
  { creator, creatorKeyId, groupKeyId }: E2EEGroupSharedKey,
): Promise<Uint8Array> {
  const newest = creator === own.mid ? await ownNewest(own, creatorKeyId) : (await peers.negotiate(creator)).key;
  if (newest?.keyId === creatorKeyId) return newest.publicKey;
  const found = `the server offers group key ${groupKeyId} of ${chatMid}, made with key ${creatorKeyId} of ${creator}, who has key ${newest?.keyId ?? 'none'}`;
  throw new KeyTrustError('creator-key-old', found, { mid: creator, keyId: creatorKeyId });
}

async function ownNewest(own: OwnKeys, creatorKeyId: number) {
  const state = await own.state();
  if (state.kind === 'ready') return state.key;
  throw new UnopenedError('unknown-key', `key ${creatorKeyId} made it, and the current own key is not on this device`);
}

async function opened(share: E2EEGroupSharedKey, privateKey: Uint8Array, creatorKey: Uint8Array): Promise<KeyPair> {
  try {
    return await unwrapGroupKey(share.encryptedSharedKey, privateKey, creatorKey);
  } catch (cause) {
    if (!(cause instanceof OpenError)) throw cause;
    throw new UnopenedError('broken-group-share', cause.message, { cause });
  }
}
