// Trust in keys: compares what the server says about keys with its log and with the memory of this device. The file
// docs/security.md says how much protection this gives.
import type { Operation } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import { deferred, loaded } from '../deferred.ts';
import type { Gateway } from '../gateway/calls.ts';
import type { OwnedKey } from '../key-log/key-log-witness.ts';
import type { KeyStore } from '../key-store/key-store.ts';
import type { ContactDeps, ContactTrust } from './contacts.ts';
import { keyNewsOf } from './key-news.ts';
import type { KeyTrustError } from './key-trust-error.ts';
import { learnKeys, requireNewest, requireVerified } from './known-keys.ts';
import { createOwnKeyChecks } from './own-key-checks.ts';
import { createTrustEvents, silently, type TrustEvent } from './trust-events.ts';
import { type KnownKey, type LogMemory, TrustMemory, type VerifiedContact } from './trust-memory.ts';

/** The checks that the sealing layer makes before it uses keys of others. */
export interface KeyTrust {
  /**
   * Passes if all keys are in the log, have not changed and are the newest, and if verified contacts still have the
   * compared key. Asks the server only about keys that are new to this device.
   * @throws KeyTrustError otherwise; then seal nothing for these keys
   */
  forSealing(keys: readonly OwnedKey[]): Promise<void>;
  /**
   * Checks the keys with which messages were sealed, which may be old keys.
   * @throws KeyTrustError if a key must not be trusted
   */
  forOpening(keys: readonly OwnedKey[]): Promise<void>;
  /**
   * Returns the reason why messages to this user or chat must not go in the clear, unless the user asks for it. Returns
   * undefined if they may go in the clear.
   */
  sealingExpected(mid: string): Promise<SealingExpected | undefined>;
  /** Remembers, also for later runs, that messages of this user or chat are sealed. */
  rememberSealed(mid: string): Promise<void>;
  /** Tells the listeners about an error that the sealing layer found, and returns the error for the caller to throw. */
  alarm(error: KeyTrustError): KeyTrustError;
}

/**
 * The reason why a chat is expected to be sealed. `verified`: the contact's safety number was compared.
 * `sealed-before`: the chat has a sealed message, whether or not this device can open it.
 */
export interface SealingExpected {
  readonly kind: 'verified' | 'sealed-before';
  /** The time since when the chat is expected to be sealed, in epoch milliseconds. */
  readonly since: number;
}

export interface Trust extends KeyTrust {
  /**
   * Checks the account's own keys, and that the log only grew. Listeners get the findings too. The client makes this
   * check by itself after a login and while operations are read.
   * @throws KeyTrustError if the check fails; also the errors of calls to the server
   */
  checkOwnKeys(): Promise<void>;
  /** Returns the safety number with a contact, and whether it was compared. */
  contact(mid: string): Promise<ContactTrust>;
  /**
   * Marks a contact as verified if the code matches the current keys.
   * @param code the digits that were compared, or the content of the other side's QR code
   * @returns undefined if the code does not match
   */
  verify(mid: string, code: string): Promise<ContactTrust | undefined>;
  /** Removes the mark of a verified contact. From then on, messages are sealed for any key that the contact has. */
  unverify(mid: string): Promise<void>;
  /**
   * Returns what was compared when a contact was verified; undefined if the contact is not verified. Does not call the
   * server.
   */
  verified(mid: string): Promise<VerifiedContact | undefined>;
  /** Returns the keys of a user that this device has seen, the oldest first. Does not call the server. */
  knownKeys(mid: string): Promise<readonly KnownKey[]>;
  /** Fetches and checks the current key of a user. Called when an operation says that the user has a new key. */
  learn(mid: string): Promise<void>;
  /** Returns what this device remembers about the key log. */
  rememberedLog(): Promise<LogMemory>;
  /**
   * Accepts the log that the server has now, after the server was restored from a backup or newly set up. Keys of this
   * device that the server does not list any more are registered again before the next message is sealed.
   * @throws also the errors of calls to the server; then nothing is accepted
   */
  acceptLog(): Promise<void>;
  /** Adds a listener, and returns the function that removes it. */
  onEvent(listener: (event: TrustEvent) => void): () => void;
}

export interface TrustDeps {
  readonly gateway: Gateway;
  readonly keyStore: KeyStore;
  readonly clock: Clock;
  /** Gets the errors of listeners. */
  readonly onListenerError: (error: unknown) => void;
}

/** The functions of `Trust`, and those that only the client itself uses. */
export interface WatchfulTrust extends Trust {
  /** Checks the account's own keys, unless they were checked within the last six hours. Listeners get the findings. */
  checkNowAndThen(): void;
  /** Checks a new key that an operation announces. */
  heard(operation: Operation): void;
  /** Returns the logged-in account, with everything that checks of its keys need. */
  account(): ContactDeps;
}

export function createTrust({ gateway, keyStore, clock, onListenerError }: TrustDeps): WatchfulTrust {
  const { emit, tell, alarmed, listen } = createTrustEvents(onListenerError);
  const accounts = new Map<string, ContactDeps>();
  const loggedIn = (): boolean => gateway.session.current !== undefined;

  function account(): ContactDeps {
    const mid = gateway.session.current?.mid;
    if (mid === undefined) throw new Error('nobody is logged in: log in first');
    const deps = accounts.get(mid) ?? depsOf(mid);
    accounts.set(mid, deps);
    return deps;
  }
  function depsOf(mid: string): ContactDeps {
    const memory = new TrustMemory(keyStore, mid);
    const witness = deferred(
      ['head', 'headFor', 'requireLogged', 'isBeginning'],
      async () => new (await checks()).KeyLogWitness(gateway, memory, clock),
    );
    return { gateway, keyStore, clock, memory, mid, tell, witness };
  }

  const checkOnce = () =>
    alarmed(async () => {
      const deps = account();
      if ((await keyStore.ownKeys(deps.mid)).length === 0) return;
      const { checkOwnKeys } = await checks();
      for (const key of await checkOwnKeys(deps)) emit({ kind: 'own-key-unknown', key });
    });
  const ownKeys = createOwnKeyChecks({ clock, loggedIn, checkOnce });

  async function learn(mid: string): Promise<void> {
    const { publicKey: key } = await gateway.call('TalkService.negotiateE2EEPublicKey', mid);
    if (key) await alarmed(async () => tell(await learnKeys(account(), [{ mid, key }])));
  }

  return {
    forSealing: (keys) =>
      alarmed(async () => {
        const deps = account();
        tell(await learnKeys(deps, keys));
        await requireNewest(deps, keys);
        await requireVerified(deps, keys);
      }),
    forOpening: (keys) => alarmed(async () => tell(await learnKeys(account(), keys))),
    sealingExpected: async (mid) => sealingExpected(account().memory, mid),
    rememberSealed: async (mid) => account().memory.rememberSealed(mid, clock.now()),
    alarm(error) {
      emit({ kind: 'alarm', error });
      return error;
    },
    checkOwnKeys: ownKeys.check,
    checkNowAndThen: ownKeys.nowAndThen,
    account,
    heard(operation) {
      const news = keyNewsOf(operation);
      if (!news || !loggedIn()) return ownKeys.nowAndThen();
      const { mid, keyId } = news;
      if (mid === undefined) return ownKeys.soon();
      // A failure is ignored here, because the next message that is sealed for this user checks the key too.
      silently(async () => {
        if (await isNewer(account().memory, mid, keyId)) await learn(mid);
      }).catch(() => {});
    },
    contact: (mid) => alarmed(async () => (await contacts()).contactTrust(account(), mid)),
    verify: (mid, code) => alarmed(async () => (await contacts()).verifyContact(account(), mid, code)),
    unverify: async (mid) => account().memory.setVerified(mid, undefined),
    verified: async (mid) => account().memory.verified(mid),
    knownKeys: async (mid) => account().memory.keysOf(mid),
    learn,
    rememberedLog: async () => account().memory.log(),
    async acceptLog() {
      await (await loaded(import('./accept-log.ts'))).acceptLog(account());
      emit({ kind: 'log-accepted' });
    },
    onEvent: listen,
  };
}

const checks = () => loaded(import('./key-checks.ts'));
const contacts = () => loaded(import('./contacts.ts'));

async function sealingExpected(memory: TrustMemory, mid: string): Promise<SealingExpected | undefined> {
  const verified = await memory.verified(mid);
  if (verified) return { kind: 'verified', since: verified.time };
  const sealed = await memory.sealedChat(mid);
  return sealed && { kind: 'sealed-before', since: sealed.since };
}

/**
 * Returns whether the key is newer than those that this device has seen. Returns false for a user of whom this device
 * has not seen any key.
 */
async function isNewer(memory: TrustMemory, mid: string, keyId: number): Promise<boolean> {
  const known = (await memory.keysOf(mid)).at(-1);
  return known !== undefined && known.keyId < keyId;
}
