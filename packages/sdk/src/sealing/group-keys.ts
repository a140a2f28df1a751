// Keys of groups and rooms. Messages are sealed with the newest key. If the current members have no key, this device
// makes one. Earlier keys open old messages.
import type { E2EEGroupSharedKey } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { createKeyPair, fromBase64, type KeyPair, toBase64, wrapGroupKey } from '@sealpost/crypto';
import type { BaseClient } from '../base-client.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { GroupKey } from '../key-store/key-store.ts';
import { KeyTrustError, type KeyTrustReason } from '../trust/key-trust-error.ts';
import type { ChatMembers } from './chat-members.ts';
import { type Expiring, expiringCache } from './expiring-cache.ts';
import { requireMembers, type ShareDeps, unwrapToOpen, unwrapToSeal } from './group-shares.ts';
import type { OwnKeys } from './own-keys.ts';
import type { PeerKeys } from './peer-keys.ts';
import { type PlainReason, SealingError, UnopenedError } from './reasons.ts';

/** A group key whose creator is known to be a member of the chat. */
export type MemberMadeKey = GroupKey & { readonly creator: string };

export type GroupState =
  | { readonly key: MemberMadeKey }
  | { readonly key: undefined; readonly plainBecause: PlainReason };

/** A group key for opening messages. */
export interface OpeningKey {
  readonly key: GroupKey;
  /** The mid of the key's creator according to the server; undefined if the server was never asked. */
  readonly creator: string | undefined;
  /** Whether the creator is known to be a member. */
  readonly proven: boolean;
}

export interface GroupKeys {
  /**
   * Returns the key to seal with now, or why the chat goes in the clear. Registers a key if the chat has none for its
   * present members and their current keys.
   */
  current(chatMid: string): Promise<GroupState>;
  /**
   * Returns the key that others seal with now, after the same checks as `current`; undefined if the chat has no key.
   * Does not register a key.
   */
  registered(chatMid: string): Promise<MemberMadeKey | undefined>;
  /**
   * Returns the key with this id.
   * @throws UnopenedError if this account has no share of the key, or its share does not open
   */
  require(chatMid: string, groupKeyId: number): Promise<OpeningKey>;
  forget(chatMid: string): void;
  forgetAll(): void;
}

export interface GroupKeyParts {
  readonly own: OwnKeys;
  readonly peers: PeerKeys;
  readonly members: ChatMembers;
}

const KEY_VERSION = 1;
const KEY_MS = 6 * 60 * 60_000;
const PLAIN_MS = 60 * 60_000;
/**
 * How long the cache keeps a key whose creator is not known as a member. The time is short, because the creator may
 * become known as a member at any moment.
 */
const UNPROVEN_MS = 60_000;
const TRIES = 3;

export function createGroupKeys(client: BaseClient, parts: GroupKeyParts, clock: Clock): GroupKeys {
  const { keyStore: store, TalkService: talk, trust } = client;
  const { own, peers, members }: ShareDeps = parts;
  const { mid } = own;
  const states = expiringCache<GroupState>(clock);
  const keys = expiringCache<OpeningKey>(clock);

  /** Stores the key for ever under its id, so that the server cannot later replace it. */
  async function keep(chatMid: string, groupKeyId: number, creator: string, pair: KeyPair): Promise<MemberMadeKey> {
    const key = { ...pair, chatMid, groupKeyId, creator };
    const kept = await store.groupKey(mid, chatMid, groupKeyId);
    if (kept && toBase64(kept.publicKey) !== toBase64(pair.publicKey)) {
      const found = `group key ${groupKeyId} of ${chatMid} is another one than this device has under that number`;
      throw trust.alarm(new KeyTrustError('swapped', found, { mid: creator }));
    }
    if (!kept) await store.addGroupKey(mid, key);
    return key;
  }

  /** Registers a new key, wrapped for exactly those accounts that the server counts as members. */
  async function register(chatMid: string): Promise<MemberMadeKey> {
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
    const share = await talk.registerE2EEGroupKey(KEY_VERSION, chatMid, mids, keyIds, wraps);
    return keep(chatMid, share.groupKeyId, mid, pair);
  }

  /**
   * Returns the newest registered key of the chat; undefined if there is none.
   * @throws KeyTrustError if the key must not be used for sealing
   */
  async function newest(chatMid: string): Promise<MemberMadeKey | undefined> {
    const share = await orNotFound(talk.getLastE2EEGroupSharedKey(KEY_VERSION, chatMid));
    return share && keep(chatMid, share.groupKeyId, share.creator, await unwrapToSeal(parts, chatMid, share));
  }

  /**
   * Returns the newest key of the chat. Registers a key if there is none, or if this account's share of the newest key
   * does not open. A new key repairs such a chat for everybody.
   */
  async function newestOrNew(chatMid: string): Promise<MemberMadeKey> {
    try {
      return (await newest(chatMid)) ?? (await register(chatMid));
    } catch (error) {
      if (!(error instanceof UnopenedError)) throw error;
      return register(chatMid);
    }
  }

  /**
   * Does the work. If lists of members or keys may be out of date, repeats the work once with fresh lists before it
   * raises an alarm. Somebody may have joined, left or got a new key between two answers of the server.
   */
  async function settled<T>(chatMid: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!mayBeOutOfDate(error)) throw error;
      members.forget(chatMid);
      own.forget();
      if (error.mid !== undefined) peers.forget(error.mid);
    }
    return work().catch((error) => {
      throw mayBeOutOfDate(error) ? trust.alarm(error) : error;
    });
  }

  async function load(chatMid: string): Promise<Expiring<GroupState>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return { value: { key: await settled(chatMid, () => newestOrNew(chatMid)) }, forMs: KEY_MS };
      } catch (error) {
        const name = error instanceof GatewayError ? error.error : undefined;
        const because = GOES_PLAIN[name ?? ''];
        if (because) return { value: { key: undefined, plainBecause: because }, forMs: PLAIN_MS };
        // The server refused the new key: somebody joined, left or got a new key while this one was being made.
        if (name !== 'E2EE_RECREATE_GROUP_KEY' || attempt === TRIES) throw error;
        members.forget(chatMid);
      }
    }
  }

  async function byId(chatMid: string, groupKeyId: number): Promise<Expiring<OpeningKey>> {
    const kept = await store.groupKey(mid, chatMid, groupKeyId);
    if (kept?.creator !== undefined) {
      return { value: { key: kept, creator: kept.creator, proven: true }, forMs: KEY_MS };
    }
    const share = await orNoShare(talk.getE2EEGroupSharedKey(KEY_VERSION, chatMid, groupKeyId));
    if (share?.groupKeyId === groupKeyId) return fromShare(chatMid, share);
    // An earlier version of the SDK stored this key without its creator.
    if (kept) return { value: { key: kept, creator: undefined, proven: false }, forMs: UNPROVEN_MS };
    throw new UnopenedError('no-group-share', `group key ${groupKeyId} of ${chatMid}`);
  }

  async function fromShare(chatMid: string, share: E2EEGroupSharedKey): Promise<Expiring<OpeningKey>> {
    const { creator, groupKeyId } = share;
    const { pair, proven } = await unwrapToOpen(parts, chatMid, share);
    const key = proven ? await keep(chatMid, groupKeyId, creator, pair) : { ...pair, chatMid, groupKeyId };
    return { value: { key, creator, proven }, forMs: proven ? KEY_MS : UNPROVEN_MS };
  }

  return {
    current: (chatMid) => states.get(chatMid, () => load(chatMid)),
    async registered(chatMid) {
      try {
        return await settled(chatMid, () => newest(chatMid));
      } catch (error) {
        if (error instanceof UnopenedError) return undefined;
        if (error instanceof GatewayError && GOES_PLAIN[error.error ?? '']) return undefined;
        throw error;
      }
    },
    require: (chatMid, groupKeyId) => keys.get(`${chatMid} ${groupKeyId}`, () => byId(chatMid, groupKeyId)),
    forget(chatMid) {
      states.forget(chatMid);
      members.forget(chatMid);
    },
    forgetAll() {
      states.forgetAll();
      members.forgetAll();
    },
  };
}

/** The errors of the server after which messages to the chat are sent in the clear, each with the reason to report. */
const GOES_PLAIN: Readonly<Record<string, PlainReason | undefined>> = {
  E2EE_RETRY_PLAIN: 'member-off',
  E2EE_GROUP_TOO_MANY_MEMBERS: 'too-many-members',
};

const OUT_OF_DATE: readonly KeyTrustReason[] = ['not-a-member', 'creator-key-old'];
const mayBeOutOfDate = (error: unknown): error is KeyTrustError =>
  error instanceof KeyTrustError && OUT_OF_DATE.includes(error.reason);

const orNotFound = <T>(answer: Promise<T>): Promise<T | undefined> => orRefused(answer, ['NOT_FOUND']);
/** Returns the answer; undefined if there is no such key, or this account has left the chat. */
const orNoShare = <T>(answer: Promise<T>): Promise<T | undefined> => orRefused(answer, ['NOT_FOUND', 'NOT_A_MEMBER']);

async function orRefused<T>(answer: Promise<T>, refusals: readonly (string | undefined)[]): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GatewayError && refusals.includes(error.error)) return undefined;
    throw error;
  }
}
