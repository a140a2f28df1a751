// Stores what the engine knows about keys: whether this browser has the account's key, and whether to offer a backup.
// Also stores alarms and new keys of other people. The tables are part of the account's state, and are deleted with that
// state.
import type { Client, ClientOptions, TrustEvent } from '@sealpost/sdk';
import type { Alarm, EngineEvent, Trust } from './protocol.ts';

type Part = NonNullable<ClientOptions['parts']>[number];
type State = Parameters<Part['opened']>[0];
type Table<T> = Part['tables'][number] & { readonly record?: T };

const alarms: Table<Alarm> = { name: 'web-alarm', inMemory: true };
const keyChanges: Table<readonly number[]> = { name: 'web-key-change', inMemory: true };
/**
 * `open` while pages should offer a backup of the keys, `settled` afterwards. Without an entry, it is still unknown
 * whether the account has a backup.
 */
const offers: Table<'open' | 'settled'> = { name: 'web-offer', inMemory: true };
const BACKUP = 'backup';

export const trustTables: Part['tables'] = [alarms, keyChanges, offers];

export interface EngineTrustDeps {
  readonly client: () => Client | undefined;
  readonly tell: (event: EngineEvent) => void;
  readonly now: () => number;
}

export class EngineTrust {
  readonly #deps: EngineTrustDeps;
  #state: State | undefined;
  #ownKey: Trust['ownKey'] = 'unknown';

  constructor(deps: EngineTrustDeps) {
    this.#deps = deps;
  }

  opened(state: State): void {
    this.#state = state;
    this.#ownKey = 'unknown';
  }

  get known(): Trust {
    const state = this.#state;
    if (!state) return { ownKey: 'unknown', offersBackup: false, alarms: [], keyChanges: {} };
    return {
      ownKey: this.#ownKey,
      offersBackup: this.#ownKey === 'ready' && state.get(offers, BACKUP) === 'open',
      alarms: [...state.all(alarms).values()].sort((one, other) => other.time - one.time),
      keyChanges: Object.fromEntries(state.all(keyChanges)),
    };
  }

  /**
   * Finds out whether this browser has the account's key. If the account has no key yet, the SDK makes the first one.
   * Without a connection, nothing changes.
   */
  async refresh(): Promise<void> {
    const client = this.#deps.client();
    if (!client?.session) return;
    try {
      this.#ownKey = (await client.sealing.ownKey()).kind;
      if (this.#ownKey === 'ready' && this.#state?.get(offers, BACKUP) === undefined) {
        const { size } = await client.rpc.KeyBackupService.getBackupInfo();
        await this.settleOffer(size > 0 ? 'settled' : 'open');
      }
    } catch {
      // The engine calls `refresh` again when the connection is back.
    }
    this.#told();
  }

  async settleOffer(to: 'open' | 'settled' = 'settled'): Promise<void> {
    await this.#state?.change(async (tx) => tx.put(offers, BACKUP, to));
    this.#told();
  }

  async markSeen(id: string, accepted = false): Promise<void> {
    await this.#state?.change(async (tx) => {
      const alarm = await tx.get(alarms, id);
      if (alarm) tx.put(alarms, id, { ...alarm, seen: true, accepted });
    });
    this.#told();
  }

  /** Stores an event about keys, and tells the pages. */
  async heard(event: TrustEvent): Promise<void> {
    const time = this.#deps.now();
    if (event.kind === 'key-changed') {
      await this.#state?.change(async (tx) => {
        const times = (await tx.get(keyChanges, event.mid)) ?? [];
        tx.put(keyChanges, event.mid, [...times, time]);
      });
      this.#deps.tell({ kind: 'notice', notice: { kind: 'new-key', mid: event.mid } });
    } else if (event.kind === 'alarm') {
      const { reason, mid, keyId, message } = event.error;
      await this.#keep({ id: [reason, mid, keyId].join(), reason, mid, time, detail: message, seen: false });
    } else if (event.kind === 'own-key-unknown') {
      const { keyId } = event.key;
      const detail = `The log has key ${keyId} of this account, which this browser does not have.`;
      await this.#keep({ id: `own-key-unknown,${keyId}`, reason: 'own-key-unknown', time, detail, seen: false });
      // Another device has made a newer key of the account, so this browser may lack the current one.
      return this.refresh();
    }
    this.#told();
  }

  /** Stores an alarm, unless an alarm with its id is stored and was not seen yet. */
  async #keep(alarm: Alarm): Promise<void> {
    await this.#state?.change(async (tx) => {
      const known = await tx.get(alarms, alarm.id);
      if (!known || known.seen) tx.put(alarms, alarm.id, alarm);
    });
  }

  #told(): void {
    this.#deps.tell({ kind: 'trust', trust: this.known });
  }
}
