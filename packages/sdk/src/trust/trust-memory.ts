// What an account remembers about keys from one run to the next, as notes in its key store. Nothing of it is secret;
// who can change it can hide a change of keys.
import type { KeyTreeHead } from '@sealpost/contract';
import type { KeyStore } from '../key-store/key-store.ts';

/** A public key that was seen. */
export interface KnownKey {
  readonly keyId: number;
  /** Base64. */
  readonly keyData: string;
  /** Whether the log was shown to hold it. */
  readonly logged: boolean;
}

/** What was compared when a contact was verified. */
export interface VerifiedContact {
  /** Epoch milliseconds. */
  readonly time: number;
  /** The sixty digits. */
  readonly digits: string;
  readonly keyId: number;
  readonly keyData: string;
  readonly ownKeyId: number;
}

export interface LogMemory {
  /** The newest head of the key log, as it was signed. */
  readonly head?: KeyTreeHead;
  /** How far the log was searched for keys of the own account, and the right edge of the tree there. */
  readonly searched?: { readonly size: number; readonly edge: readonly string[] };
  /** Keys of the own account in the log that this device did not hold when it found them. */
  readonly unknownOwnKeys?: readonly KnownKey[];
}

/** The backup of keys that this device made or opened last. */
export interface BackupMemory {
  readonly version: number;
  readonly keyIds: readonly number[];
}

/** A chat whose messages were sealed. */
export interface SealedChat {
  /** When this device first sealed or opened one, epoch milliseconds. */
  readonly since: number;
}

const LOG = 'trust/log';
const BACKUP = 'trust/backup';
const KEYS = 'trust/keys/';
const VERIFIED = 'trust/verified/';
const SEALED = 'trust/sealed/';

/** The memory of one account. Changes of it come one after the other. */
export class TrustMemory {
  readonly #notes: Pick<KeyStore, 'note' | 'notes' | 'putNote'>;
  readonly #mid: string;
  /** Chats that are remembered already: each message asks. */
  readonly #sealed = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(notes: Pick<KeyStore, 'note' | 'notes' | 'putNote'>, mid: string) {
    this.#notes = notes;
    this.#mid = mid;
  }

  log = async (): Promise<LogMemory> => (await this.#read<LogMemory>(LOG)) ?? {};
  updateLog = (change: (log: LogMemory) => LogMemory): Promise<void> =>
    this.#inTurn(async () => this.#write(LOG, change(await this.log())));

  /** Keys of somebody, in rising order of their ids. */
  keysOf = async (mid: string): Promise<readonly KnownKey[]> => (await this.#read<KnownKey[]>(KEYS + mid)) ?? [];
  updateKeys = (mid: string, change: (keys: readonly KnownKey[]) => readonly KnownKey[]): Promise<void> =>
    this.#inTurn(async () => this.#write(KEYS + mid, change(await this.keysOf(mid))));

  verified = async (mid: string): Promise<VerifiedContact | undefined> =>
    (await this.#read<VerifiedContact>(VERIFIED + mid)) ?? undefined;
  setVerified = (mid: string, verified: VerifiedContact | undefined): Promise<void> =>
    this.#write(VERIFIED + mid, verified ?? null);

  sealedChat = async (chatMid: string): Promise<SealedChat | undefined> =>
    (await this.#read<SealedChat>(SEALED + chatMid)) ?? undefined;
  async rememberSealed(chatMid: string, now: number): Promise<void> {
    if (this.#sealed.has(chatMid)) return;
    if (!(await this.sealedChat(chatMid))) await this.#write(SEALED + chatMid, { since: now } satisfies SealedChat);
    this.#sealed.add(chatMid);
  }

  backup = async (): Promise<BackupMemory | undefined> => (await this.#read<BackupMemory>(BACKUP)) ?? undefined;
  setBackup = (backup: BackupMemory | undefined): Promise<void> => this.#write(BACKUP, backup ?? null);

  /** Forgets the log; every key has to be looked up anew. */
  forgetLog = (): Promise<void> =>
    this.#inTurn(async () => {
      await this.#write(LOG, {});
      for (const [name, text] of await this.#notes.notes(this.#mid, KEYS)) {
        const keys = JSON.parse(text) as KnownKey[];
        await this.#write(
          name,
          keys.map((key) => ({ ...key, logged: false })),
        );
      }
    });

  async #read<T>(name: string): Promise<T | null | undefined> {
    const text = await this.#notes.note(this.#mid, name);
    return text === undefined ? undefined : (JSON.parse(text) as T | null);
  }

  #write(name: string, value: unknown): Promise<void> {
    return this.#notes.putNote(this.#mid, name, JSON.stringify(value));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
