// Keys of groups and rooms. Messages are sealed with the newest key. If no key exists for the current members, this
// device makes one. Earlier keys open old messages.
import type { Clock } from '@sealpost/contract/ports';
import type { BaseClient } from '../base-client.ts';
import { deferred } from '../deferred.ts';
import { GatewayError } from '../gateway/errors.ts';
import { KeyTrustError, type KeyTrustReason } from '../trust/key-trust-error.ts';
import { type Expiring, expiringCache } from './expiring-cache.ts';
import type { MemberMadeKey, OpeningKey } from './group-key-registry.ts';
import type { ShareDeps } from './group-shares.ts';
import { type PlainReason, UnopenedError } from './reasons.ts';

export type GroupState =
  | { readonly key: MemberMadeKey }
  | { readonly key: undefined; readonly plainBecause: PlainReason };

export interface GroupKeys {
  /**
   * Returns the key to seal with now, or the reason why messages to the chat are not sealed. Registers a key if the
   * chat has none for its present members and their current keys.
   */
  current(chatMid: string): Promise<GroupState>;
  /**
   * Returns the key with which other members seal now, after the same checks as `current`; undefined if the chat has no
   * key. Does not register a key.
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

const KEY_MS = 6 * 60 * 60_000;
const PLAIN_MS = 60 * 60_000;
/**
 * Milliseconds that the cache keeps a key whose creator is not known as a member. The time is short, because the
 * creator may become known as a member at any moment.
 */
const UNPROVEN_MS = 60_000;
const TRIES = 3;

export function createGroupKeys(client: BaseClient, parts: ShareDeps, clock: Clock): GroupKeys {
  const { trust } = client;
  const { own, peers, members } = parts;
  const registry = deferred(['newest', 'newestOrNew', 'byId'], async () =>
    (await import('./group-key-registry.ts')).createGroupKeyRegistry(client, parts),
  );
  const states = expiringCache<GroupState>(clock);
  const keys = expiringCache<OpeningKey>(clock);

  /**
   * Runs the work. If it fails, the lists of members or keys may be out of date. So the work is repeated once with
   * fresh lists before the error is thrown. Somebody may have joined, left or got a new key between two answers of the
   * server.
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
        return { value: { key: await settled(chatMid, () => registry.newestOrNew(chatMid)) }, forMs: KEY_MS };
      } catch (error) {
        const name = error instanceof GatewayError ? error.error : undefined;
        const because = GOES_PLAIN[name ?? ''];
        if (because) return { value: { key: undefined, plainBecause: because }, forMs: PLAIN_MS };
        // The server refused the new key: somebody joined, left or got a new key while the group key was being made.
        if (name !== 'E2EE_RECREATE_GROUP_KEY' || attempt === TRIES) throw error;
        members.forget(chatMid);
      }
    }
  }

  async function byId(chatMid: string, groupKeyId: number): Promise<Expiring<OpeningKey>> {
    const value = await registry.byId(chatMid, groupKeyId);
    return { value, forMs: value.proven ? KEY_MS : UNPROVEN_MS };
  }

  return {
    current: (chatMid) => states.get(chatMid, () => load(chatMid)),
    async registered(chatMid) {
      try {
        return await settled(chatMid, () => registry.newest(chatMid));
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
