// Keys of groups and rooms: the newest one to seal with, made here when there is none for the members as they are now,
// and earlier ones to open with.
import type { E2EEGroupSharedKey } from '@sealpost/contract';
import { createKeyPair, fromBase64, type KeyPair, OpenError, unwrapGroupKey, wrapGroupKey } from '@sealpost/crypto';
import type { Client } from '../client.ts';
import { GatewayError } from '../errors.ts';
import type { GroupKey } from '../key-store/key-store.ts';
import type { Clock } from '../ports.ts';
import { expiringCache, type Kept } from './expiring-cache.ts';
import type { OwnKeys } from './own-keys.ts';
import type { PeerKeys } from './peer-keys.ts';
import { type PlainReason, SealingError, UnopenedError } from './reasons.ts';

export type GroupState = { readonly key: GroupKey } | { readonly key: undefined; readonly plainBecause: PlainReason };

export interface GroupKeys {
  /** What to seal with now; registers a key if the chat has none for its members and their current keys. */
  current(chatMid: string): Promise<GroupState>;
  /** The key with an id. @throws UnopenedError if this account has no share of it, or one that does not unwrap */
  require(chatMid: string, groupKeyId: number): Promise<GroupKey>;
  forget(chatMid: string): void;
  forgetAll(): void;
}

const KEY_VERSION = 1;
const KEY_MS = 6 * 60 * 60_000;
const PLAIN_MS = 60 * 60_000;
const TRIES = 3;

export function createGroupKeys(client: Client, own: OwnKeys, peers: PeerKeys, clock: Clock): GroupKeys {
  const { keyStore: store, TalkService: talk } = client;
  const { mid } = own;
  const states = expiringCache<GroupState>(clock);
  const keys = expiringCache<GroupKey>(clock);

  async function unwrap(chatMid: string, share: E2EEGroupSharedKey): Promise<GroupKey> {
    const { groupKeyId } = share;
    const kept = await store.groupKey(mid, chatMid, groupKeyId);
    if (kept) return kept;
    const member = await own.require(share.receiverKeyId, 'wrong-receiver');
    const creator =
      share.creator === mid
        ? await own.require(share.creatorKeyId, 'wrong-sender')
        : await peers.find(share.creator, share.creatorKeyId);
    if (!creator) {
      throw new UnopenedError('wrong-sender', `key ${share.creatorKeyId} of the group key is none of its creator`);
    }
    return keep(chatMid, groupKeyId, await opened(share, member.privateKey, creator.publicKey));
  }

  async function keep(chatMid: string, groupKeyId: number, pair: KeyPair): Promise<GroupKey> {
    const key = { ...pair, chatMid, groupKeyId };
    await store.addGroupKey(mid, key);
    return key;
  }

  /** A new key, wrapped for exactly those whom the server counts as members. */
  async function register(chatMid: string): Promise<GroupKey> {
    const members = Object.entries(await talk.getLastE2EEPublicKeys(chatMid));
    const state = await own.state();
    const mine = members.find(([member]) => member === mid)?.[1];
    if (state.kind !== 'ready' || mine?.keyId !== state.key.keyId) {
      own.forget();
      throw new SealingError('own-key-missing', `the members of ${chatMid} have key ${mine?.keyId} of this account`);
    }
    const pair = createKeyPair();
    const others = members.filter(([member]) => member !== mid).map(([member, key]) => ({ mid: member, key }));
    await peers.trusted(others);
    const wraps: string[] = [];
    for (const [, { keyData }] of members) {
      wraps.push(await wrapGroupKey(pair.privateKey, state.key.privateKey, fromBase64(keyData)));
    }
    const mids = members.map(([member]) => member);
    const keyIds = members.map(([, { keyId }]) => keyId);
    const share = await talk.registerE2EEGroupKey(KEY_VERSION, chatMid, mids, keyIds, wraps);
    return keep(chatMid, share.groupKeyId, pair);
  }

  /** A key whose share does not unwrap can not be sealed with either: a new one heals the chat for everybody. */
  async function newestOrNew(chatMid: string): Promise<GroupKey> {
    try {
      return await unwrap(chatMid, await talk.getLastE2EEGroupSharedKey(KEY_VERSION, chatMid));
    } catch (error) {
      const isMissing = error instanceof GatewayError && error.error === 'NOT_FOUND';
      if (!isMissing && !(error instanceof UnopenedError)) throw error;
      return register(chatMid);
    }
  }

  async function load(chatMid: string): Promise<Kept<GroupState>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return { value: { key: await newestOrNew(chatMid) }, forMs: KEY_MS };
      } catch (error) {
        const name = error instanceof GatewayError ? error.error : undefined;
        if (name === 'E2EE_RETRY_PLAIN') return plain('member-off');
        if (name === 'E2EE_GROUP_TOO_MANY_MEMBERS') return plain('too-many-members');
        // Somebody joined, left or got a new key while this one was being made.
        if (name !== 'E2EE_RECREATE_GROUP_KEY' || attempt === TRIES) throw error;
      }
    }
  }

  async function byId(chatMid: string, groupKeyId: number): Promise<Kept<GroupKey>> {
    const kept = await store.groupKey(mid, chatMid, groupKeyId);
    if (kept) return { value: kept, forMs: KEY_MS };
    try {
      const share = await talk.getE2EEGroupSharedKey(KEY_VERSION, chatMid, groupKeyId);
      return { value: await unwrap(chatMid, share), forMs: KEY_MS };
    } catch (error) {
      if (!(error instanceof GatewayError) || !HAS_NO_SHARE.includes(error.error)) throw error;
      throw new UnopenedError('no-group-share', `group key ${groupKeyId} of ${chatMid}`, { cause: error });
    }
  }

  return {
    current: (chatMid) => states.get(chatMid, () => load(chatMid)),
    require: (chatMid, groupKeyId) => keys.get(`${chatMid} ${groupKeyId}`, () => byId(chatMid, groupKeyId)),
    forget: (chatMid) => states.forget(chatMid),
    forgetAll: () => states.forgetAll(),
  };
}

/** A chat that was left answers as if it had never been. */
const HAS_NO_SHARE: readonly (string | undefined)[] = ['NOT_FOUND', 'NOT_A_MEMBER'];

const plain = (plainBecause: PlainReason): Kept<GroupState> => ({
  value: { key: undefined, plainBecause },
  forMs: PLAIN_MS,
});

async function opened(share: E2EEGroupSharedKey, privateKey: Uint8Array, creatorKey: Uint8Array): Promise<KeyPair> {
  try {
    return await unwrapGroupKey(share.encryptedSharedKey, privateKey, creatorKey);
  } catch (cause) {
    if (!(cause instanceof OpenError)) throw cause;
    throw new UnopenedError('broken-group-share', cause.message, { cause });
  }
}
