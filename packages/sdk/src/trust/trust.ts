// Trust in keys: what the server says about keys is checked against its log and against what this device remembers.
// docs/security.md says what that is worth.
import type { Operation } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Gateway } from '../gateway/calls.ts';
import { KeyLogWitness, type OwnedKey } from '../key-log/key-log-witness.ts';
import type { KeyStore } from '../key-store/key-store.ts';
import { type ContactDeps, type ContactTrust, contactTrust, verifyContact } from './contacts.ts';
import { keyNewsOf } from './key-news.ts';
import { KeyTrustError } from './key-trust-error.ts';
import { type KeyChange, learnKeys, requireNewest, requireVerified } from './known-keys.ts';
import { checkOwnKeys } from './own-keys.ts';
import { type KnownKey, type LogMemory, TrustMemory, type VerifiedContact } from './trust-memory.ts';

/** What the sealing layer asks before it uses keys of others. */
export interface KeyTrust {
  /**
   * Passes if all keys are in the log, are what they were, are the newest ones and, of verified contacts, the ones that
   * were compared. Asks the server about keys that are new to this device only.
   * @throws KeyTrustError: seal nothing for them
   */
  forSealing(keys: readonly OwnedKey[]): Promise<void>;
  /** The same for keys that messages came with, which may be old ones. */
  forOpening(keys: readonly OwnedKey[]): Promise<void>;
  /** Why messages to this user or chat must not simply go in the clear; undefined if nothing speaks against it. */
  sealingExpected(mid: string): Promise<SealingExpected | undefined>;
  /** Remembers, also for later runs, that messages of this user or chat are sealed. */
  rememberSealed(mid: string): Promise<void>;
  /** Tells the listeners what the sealing layer found itself, and returns it to be thrown. */
  alarm(error: KeyTrustError): KeyTrustError;
}

/** `verified`: the number of the contact was compared; `sealed-before`: a message of the chat was sealed or opened. */
export interface SealingExpected {
  readonly kind: 'verified' | 'sealed-before';
  /** Epoch milliseconds. */
  readonly since: number;
}

export type TrustEvent =
  /** Something is not to be trusted; the message says what to do. */
  | { readonly kind: 'alarm'; readonly error: KeyTrustError }
  /** Somebody has a new key: a new device without the old keys, or somebody in their place. Tell the user. */
  | ({ readonly kind: 'key-changed' } & KeyChange)
  /** The log has a key of this account that this device does not hold. Tell the user. */
  | { readonly kind: 'own-key-unknown'; readonly key: KnownKey };

export interface Trust extends KeyTrust {
  /**
   * Checks the account's own keys and that the log only grew. What is found goes to the listeners too. The client does
   * this by itself after a login and while operations are read.
   * @throws KeyTrustError, and errors of the calls
   */
  checkOwnKeys(): Promise<void>;
  /** The safety number with a contact, and whether it was compared. */
  contact(mid: string): Promise<ContactTrust>;
  /**
   * Marks a contact as verified, after people compared the number; with a code, if the code is the right one.
   * @returns undefined if it is another code
   */
  verify(mid: string, code?: string): Promise<ContactTrust | undefined>;
  /** Takes back the mark: messages are sealed for whatever key the contact has. */
  unverify(mid: string): Promise<void>;
  /** What was compared with a contact, if anything was; asks nobody. */
  verified(mid: string): Promise<VerifiedContact | undefined>;
  /** Keys of somebody that this device has seen, oldest first; asks nobody. */
  knownKeys(mid: string): Promise<readonly KnownKey[]>;
  /** Learns the current key of somebody, after news of it. */
  learn(mid: string): Promise<void>;
  /** What this device remembers of the key log. */
  rememberedLog(): Promise<LogMemory>;
  /** Forgets the head of the log, so that the next one is taken as the first: for a server that was set up anew. */
  acceptLog(): Promise<void>;
  /** Answers the function that stops it. */
  onEvent(listener: (event: TrustEvent) => void): () => void;
}

export interface TrustDeps {
  readonly gateway: Gateway;
  readonly keyStore: KeyStore;
  readonly clock: Clock;
}

/** How often the own keys are checked while a client reads its operations. */
const CHECK_EVERY_MS = 6 * 3_600_000;

/** What the client itself does with it. */
export interface WatchfulTrust extends Trust {
  /** Checks the own keys unless that was done a short while ago; what is found goes to the listeners. */
  checkNowAndThen(): void;
  /** Looks at keys that an operation tells of. */
  heard(operation: Operation): void;
  /** The account that is logged in, with all that checks of its keys need. */
  account(): ContactDeps;
}

export function createTrust({ gateway, keyStore, clock }: TrustDeps): WatchfulTrust {
  const listeners = new Set<(event: TrustEvent) => void>();
  const accounts = new Map<string, ContactDeps>();
  let checkedAt = Number.NEGATIVE_INFINITY;

  const emit = (event: TrustEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const tell = (changes: readonly KeyChange[]): void => {
    for (const change of changes) emit({ kind: 'key-changed', ...change });
  };

  function account(): ContactDeps {
    const mid = gateway.session.current?.mid;
    if (mid === undefined) throw new Error('keys can be checked for an account only: log in first');
    const deps = accounts.get(mid) ?? depsOf(mid);
    accounts.set(mid, deps);
    return deps;
  }
  function depsOf(mid: string): ContactDeps {
    const memory = new TrustMemory(keyStore, mid);
    return { gateway, keyStore, clock, memory, mid, tell, witness: new KeyLogWitness(gateway, memory, clock) };
  }

  /** An alarm reaches the listeners, whoever asked. */
  async function alarmed<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof KeyTrustError) emit({ kind: 'alarm', error });
      throw error;
    }
  }

  let lastCheck: Promise<void> = Promise.resolve();
  /** One after the other, so that nothing is found twice. */
  function checkOwn(): Promise<void> {
    const check = lastCheck.then(() =>
      alarmed(async () => {
        for (const key of await checkOwnKeys(account())) emit({ kind: 'own-key-unknown', key });
      }),
    );
    lastCheck = check.catch(() => {});
    return check;
  }

  function checkNowAndThen(): void {
    if (!gateway.session.current || clock.now() - checkedAt < CHECK_EVERY_MS) return;
    checkedAt = clock.now();
    // What could not be asked now is asked the next time.
    silently(checkOwn).catch(() => {
      checkedAt = Number.NEGATIVE_INFINITY;
    });
  }

  async function learn(mid: string): Promise<void> {
    const { publicKey: key } = await gateway.call('TalkService.negotiateE2EEPublicKey', mid);
    if (key) await alarmed(async () => tell(await learnKeys(account(), [{ mid, key }])));
  }

  async function learnIfNewer(mid: string, keyId: number): Promise<void> {
    const known = (await account().memory.keysOf(mid)).at(-1);
    if (known && known.keyId < keyId) await learn(mid);
  }

  return {
    forSealing: (keys) =>
      alarmed(async () => {
        const deps = account();
        tell(await learnKeys(deps, keys));
        await requireNewest(deps, keys);
        await requireVerified(deps, keys);
      }),
    async sealingExpected(mid) {
      const { memory } = account();
      const verified = await memory.verified(mid);
      if (verified) return { kind: 'verified', since: verified.time };
      const sealed = await memory.sealedChat(mid);
      return sealed && { kind: 'sealed-before', since: sealed.since };
    },
    rememberSealed: async (mid) => account().memory.rememberSealed(mid, clock.now()),
    alarm(error) {
      emit({ kind: 'alarm', error });
      return error;
    },
    forOpening: (keys) => alarmed(async () => tell(await learnKeys(account(), keys))),
    checkOwnKeys: checkOwn,
    checkNowAndThen,
    account,
    heard(operation) {
      const news = keyNewsOf(operation);
      if (!news || !gateway.session.current) return checkNowAndThen();
      if (news.mid === undefined) {
        checkedAt = Number.NEGATIVE_INFINITY;
        return checkNowAndThen();
      }
      const { mid, keyId } = news;
      // Whoever seals for that key next checks it as well.
      silently(() => learnIfNewer(mid, keyId)).catch(() => {});
    },
    contact: (mid) => alarmed(() => contactTrust(account(), mid)),
    verify: (mid, code) => alarmed(() => verifyContact(account(), mid, code)),
    unverify: async (mid) => account().memory.setVerified(mid, undefined),
    verified: async (mid) => account().memory.verified(mid),
    knownKeys: async (mid) => account().memory.keysOf(mid),
    learn,
    rememberedLog: async () => account().memory.log(),
    acceptLog: async () => account().memory.forgetLog(),
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What is not to be trusted went to the listeners; other failures are the caller's. */
async function silently(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof KeyTrustError)) throw error;
  }
}
