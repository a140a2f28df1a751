// Keeps what an account remembers about keys between runs, as notes in its key store. The notes are not secret, but
// somebody who can change them can hide a change of keys.
import type { KeyTreeHead } from '@sealpost/contract';
import type { KeyStore } from '../key-store/key-store.ts';

/** A public key that this device has seen. */
export interface KnownKey {
  /** The id of the key; 0 for a key of an earlier log, whose ids say nothing any more. */
  readonly keyId: number;
  /** The key in base64. */
  readonly keyData: string;
  /** True if the server has proved that the log has this key. */
  readonly logged: boolean;
}

/** The data that the user compared when marking a contact as verified. */
export interface VerifiedContact {
  /** The time when the contact was verified, in epoch milliseconds. */
  readonly time: number;
  /** The sixty digits of the safety number. */
  readonly digits: string;
  readonly keyId: number;
  readonly keyData: string;
  readonly ownKeyId: number;
}

export interface LogMemory {
  /** The newest signed head of the key log. */
  readonly head?: KeyTreeHead;
  /**
   * The part of the key log in which this device has already searched for keys of this account. `size` is the number of
   * its entries. `edge` is the right edge of the tree of that size.
   */
  readonly searched?: { readonly size: number; readonly edge: readonly string[] };
  /** Keys of this account that this device found in the log, and did not have itself at that time. */
  readonly unknownOwnKeys?: readonly KnownKey[];
}

/** The backup of keys that this device made or opened last. */
export interface BackupMemory {
  readonly version: number;
  readonly keyIds: readonly number[];
}

/** A chat with at least one sealed message. */
export interface SealedChat {
  /** The time when this device first sealed or saw a sealed message of the chat, in epoch milliseconds. */
  readonly since: number;
}

const LOG = 'trust/log';
const BACKUP = 'trust/backup';
const KEYS = 'trust/keys/';
const VERIFIED = 'trust/verified/';
const SEALED = 'trust/sealed/';

/** The memory of one account. Its changes happen one after another. */
export class TrustMemory {
  readonly #notes: Pick<KeyStore, 'note' | 'notes' | 'putNote'>;
  readonly #mid: string;
  /**
   * The mids of chats that the store already lists as sealed. Because of this list, the store is not read for every
   * message.
   */
  readonly #sealed = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(notes: Pick<KeyStore, 'note' | 'notes' | 'putNote'>, mid: string) {
    this.#notes = notes;
    this.#mid = mid;
  }

  log = async (): Promise<LogMemory> => (await this.#read<LogMemory>(LOG)) ?? {};
  updateLog = (change: (log: LogMemory) => LogMemory): Promise<void> =>
    this.#inTurn(async () => this.#write(LOG, change(await this.log())));

  /** Returns the known keys of a user, in ascending order of their ids. */
  keysOf = async (mid: string): Promise<readonly KnownKey[]> => (await this.#read<KnownKey[]>(KEYS + mid)) ?? [];
  updateKeys = (mid: string, change: (keys: readonly KnownKey[]) => readonly KnownKey[]): Promise<void> =>
    this.#inTurn(async () => this.#write(KEYS + mid, change(await this.keysOf(mid))));

  /** Returns the mids of the users whose keys are known. */
  peers = async (): Promise<readonly string[]> =>
    [...(await this.#notes.notes(this.#mid, KEYS)).keys()].map((name) => name.slice(KEYS.length));

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
