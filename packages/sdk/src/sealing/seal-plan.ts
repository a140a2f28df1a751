// Decides whether a message is sealed, and with which keys. The decision is made before every send, mostly from cached
// answers.
import { contentTypes, midPrefix } from '@sealpost/contract';
import { isSealableType, type KeyChainEntry, type MessageKeys, type SealableType } from '@sealpost/crypto';
import type { ChatMembers } from './chat-members.ts';
import type { SealableMessage } from './content.ts';
import type { GroupKeys } from './group-keys.ts';
import type { OwnKeys } from './own-keys.ts';
import type { PeerKeys } from './peer-keys.ts';
import { type PlainReason, SealingError } from './reasons.ts';
import type { SealedHistory } from './sealed-history.ts';
import type { SharedSecrets } from './shared-secrets.ts';

export type SealPlan =
  | { readonly sealed: true; readonly type: SealableType; keys(): MessageKeys }
  | { readonly sealed: false; readonly because: PlainReason };

export interface Keys {
  readonly own: OwnKeys;
  readonly peers: PeerKeys;
  readonly groups: GroupKeys;
  readonly members: ChatMembers;
  readonly history: SealedHistory;
  readonly secrets: SharedSecrets;
}

const plain = (because: PlainReason): SealPlan => ({ sealed: false, because });

/**
 * Returns whether and how a message is sealed.
 * @throws SealingError if the chat seals, but this device lacks the account's current key
 */
export async function planFor(keys: Keys, message: Pick<SealableMessage, 'to' | 'contentType'>): Promise<SealPlan> {
  const type = message.contentType ?? contentTypes.NONE;
  if (!isSealableType(type)) return plain('no-sealed-form');
  const state = await keys.own.state();
  if (state.kind === 'off') return plain('sender-off');
  const { to } = message;
  const isChat = !to.startsWith(midPrefix.user);
  if (state.kind === 'missing') return withoutOwnKey(keys, to, isChat, state.keyId);
  return isChat ? planForChat(keys, to, type, state.key) : planForUser(keys, to, type, state.key);
}

async function planForUser(keys: Keys, to: string, type: SealableType, own: KeyChainEntry): Promise<SealPlan> {
  // A message to oneself is sealed for the account's own key, which needs no negotiation.
  const peer = to === keys.own.mid ? { key: own, types: [type as number] } : await keys.peers.negotiate(to);
  if (!peer.key) return plain('receiver-off');
  if (!peer.types.includes(type)) return plain('type-not-taken');
  return sealedFor(keys, type, own, { id: peer.key.keyId, publicKey: peer.key.publicKey });
}

async function planForChat(keys: Keys, to: string, type: SealableType, own: KeyChainEntry): Promise<SealPlan> {
  const state = await keys.groups.current(to);
  if (!state.key) return plain(state.plainBecause);
  return sealedFor(keys, type, own, { id: state.key.groupKeyId, publicKey: state.key.publicKey });
}

function sealedFor(
  { secrets }: Keys,
  type: SealableType,
  own: KeyChainEntry,
  receiver: { readonly id: number; readonly publicKey: Uint8Array },
): SealPlan {
  return {
    sealed: true,
    type,
    keys: () => ({
      sharedSecret: secrets.of(`own ${own.keyId}`, own.privateKey, receiver.publicKey),
      senderKeyId: own.keyId,
      receiverKeyId: receiver.id,
    }),
  };
}

/**
 * Returns the plan for a device that lacks the account's current key and so cannot seal. The key is not needed if the
 * message goes in the clear anyway.
 */
async function withoutOwnKey(
  { peers, groups, own }: Keys,
  to: string,
  isChat: boolean,
  keyId: number,
): Promise<SealPlan> {
  if (isChat) {
    const state = await groups.current(to);
    if (!state.key) return plain(state.plainBecause);
  } else if (to !== own.mid && !(await peers.negotiate(to)).key) return plain('receiver-off');
  throw new SealingError('own-key-missing', `key ${keyId}`);
}
