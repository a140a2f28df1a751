// The group keys that the server has for this account. Fetches the newest key or an old key by its id, and registers
// new keys. This device keeps every key that it fetches or makes.
import type { E2EEGroupSharedKey } from '@sealpost/contract';
import { createKeyPair, fromBase64, type KeyPair, toBase64, wrapGroupKey } from '@sealpost/crypto';
import type { BaseClient } from '../base-client.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { GroupKey } from '../key-store/key-store.ts';
import { KeyTrustError } from '../trust/key-trust-error.ts';
import { requireMembers, type ShareDeps, unwrapToOpen, unwrapToSeal } from './group-shares.ts';
import { SealingError, UnopenedError } from './reasons.ts';

/** A group key whose creator is known to be a member of the chat. */
export type MemberMadeKey = GroupKey & { readonly creator: string };

/** A group key for opening messages. */
export interface OpeningKey {
  readonly key: GroupKey;
  /** The mid of the key's creator according to the server; undefined if the server was never asked. */
  readonly creator: string | undefined;
  /** True if the creator is known to be a member. */
  readonly proven: boolean;
}

export interface GroupKeyRegistry {
  /**
   * Returns the newest registered key of the chat; undefined if there is none.
   * @throws KeyTrustError if the key must not be used for sealing
   */
  newest(chatMid: string): Promise<MemberMadeKey | undefined>;
  /**
   * Returns the newest key of the chat. Registers a key if there is none, or if this account's share of the newest key
   * does not open. A new key repairs such a chat for everybody.
   */
  newestOrNew(chatMid: string): Promise<MemberMadeKey>;
  /**
   * Returns the key with this id.
   * @throws UnopenedError if this account has no share of the key, or its share does not open
   */
  byId(chatMid: string, groupKeyId: number): Promise<OpeningKey>;
}

const KEY_VERSION = 1;

export function createGroupKeyRegistry(client: BaseClient, parts: ShareDeps): GroupKeyRegistry {
  const { keyStore: store, TalkService: talk } = client;
  const { mid } = parts.own;

  async function newest(chatMid: string): Promise<MemberMadeKey | undefined> {
    const share = await orRefused(talk.getLastE2EEGroupSharedKey(KEY_VERSION, chatMid), ['NOT_FOUND']);
    if (!share) return undefined;
    return keep(client, mid, share, { chatMid, pair: await unwrapToSeal(parts, chatMid, share) });
  }

  async function fromShare(chatMid: string, share: E2EEGroupSharedKey): Promise<OpeningKey> {
    const { creator, groupKeyId } = share;
    const { pair, proven } = await unwrapToOpen(parts, chatMid, share);
    const key = proven ? await keep(client, mid, share, { chatMid, pair }) : { ...pair, chatMid, groupKeyId };
    return { key, creator, proven };
  }

  return {
    newest,
    async newestOrNew(chatMid) {
      try {
        return (await newest(chatMid)) ?? (await register(client, parts, chatMid));
      } catch (error) {
        if (!(error instanceof UnopenedError)) throw error;
        return register(client, parts, chatMid);
      }
    },
    async byId(chatMid, groupKeyId) {
      const kept = await store.groupKey(mid, chatMid, groupKeyId);
      if (kept?.creator !== undefined) return { key: kept, creator: kept.creator, proven: true };
      // The server refuses if there is no such key, or this account has left the chat.
      const answer = talk.getE2EEGroupSharedKey(KEY_VERSION, chatMid, groupKeyId);
      const share = await orRefused(answer, ['NOT_FOUND', 'NOT_A_MEMBER']);
      if (share?.groupKeyId === groupKeyId) return fromShare(chatMid, share);
      // An earlier version of the SDK stored this key without its creator.
      if (kept) return { key: kept, creator: undefined, proven: false };
      throw new UnopenedError('no-group-share', `group key ${groupKeyId} of ${chatMid}`);
    },
  };
}

/** Stores the key for ever under its id, so that the server cannot later replace it. */
async function keep(
  { keyStore, trust }: BaseClient,
  mid: string,
  { groupKeyId, creator }: Pick<E2EEGroupSharedKey, 'groupKeyId' | 'creator'>,
  { chatMid, pair }: { readonly chatMid: string; readonly pair: KeyPair },
): Promise<MemberMadeKey> {
  const key = { ...pair, chatMid, groupKeyId, creator };
  const kept = await keyStore.groupKey(mid, chatMid, groupKeyId);
  if (kept && toBase64(kept.publicKey) !== toBase64(pair.publicKey)) {
    const found = `group key ${groupKeyId} of ${chatMid} is another one than this device has under that number`;
    throw trust.alarm(new KeyTrustError('swapped', found, { mid: creator }));
  }
  if (!kept) await keyStore.addGroupKey(mid, key);
  return key;
}

/** Registers a new key, wrapped for exactly those accounts that the server counts as members. */
async function register(
  client: BaseClient,
  { own, peers, members }: ShareDeps,
  chatMid: string,
): Promise<MemberMadeKey> {
  const { TalkService: talk } = client;
  const { mid } = own;
  const current = Object.entries(await talk.getLastE2EEPublicKeys(chatMid));
  const state = await own.state();
  const mine = current.find(([member]) => member === mid)?.[1];
  if (state.kind !== 'ready' || mine?.keyId !== state.key.keyId) {
    own.forget();
    throw new SealingError('own-key-missing', `the members of ${chatMid} have key ${mine?.keyId} of this account`);
  }
  const mids = current.map(([member]) => member);
  await requireMembers(members, chatMid, mids, 'is to get the next group key');
  const pair = createKeyPair();
  const others = current.filter(([member]) => member !== mid).map(([member, key]) => ({ mid: member, key }));
  await peers.trusted(others);
  const wraps: string[] = [];
  for (const [, { keyData }] of current) {
    wraps.push(await wrapGroupKey(pair.privateKey, state.key.privateKey, fromBase64(keyData)));
  }
  const keyIds = current.map(([, { keyId }]) => keyId);
  const { groupKeyId } = await talk.registerE2EEGroupKey(KEY_VERSION, chatMid, mids, keyIds, wraps);
  return keep(client, mid, { groupKeyId, creator: mid }, { chatMid, pair });
}

async function orRefused<T>(answer: Promise<T>, refusals: readonly (string | undefined)[]): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GatewayError && refusals.includes(error.error)) return undefined;
    throw error;
  }
}
