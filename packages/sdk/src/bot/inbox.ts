// The inbox of a bot: operations that are not handled yet. A row is written in the same commit as its operation, and
// deleted when the handlers have ended. So every event is handled, even if the bot stops at any time.
import { operationTypes } from '@sealpost/contract';
import type { AccountPart } from '../local-account.ts';
import { forgetCauses } from '../outbox/outgoing.ts';
import { cursors, heldKeys, ME } from '../replica/tables.ts';
import type { Sealing } from '../sealing/open.ts';
import type { OpenedOperation } from '../sealing/sealing-client.ts';
import { type LocalState, type Tx, table } from '../store/local-state.ts';
import { keysOf } from './causes.ts';
import { type BotEvent, eventOf, type Gap } from './event.ts';

export interface InboxRow {
  /** The operation; for a gap, one that says nothing but the last revision of the gap. */
  readonly operation: OpenedOperation;
  readonly gap?: Gap;
  /** The number of times that handlers have failed for this operation. */
  readonly failures: number;
}

/** Rows by revision and lane, see `rowId`. */
const inbox = table<InboxRow>('bot-inbox');
/** The revision of the last operation that came, or that was found missing. */
const last = table<string>('bot-last', { inMemory: true });

interface ClosedMessage {
  readonly operation: OpenedOperation;
  /** The id of the account's key that this device does not have. */
  readonly keyId: number;
}

/** Messages that handlers got unopened, and that may open later, by the id of their row. */
const closed = table<ClosedMessage>('bot-closed');

const DIGITS = 19;
const rowId = (revision: string, lane: string): string => `${revision.padStart(DIGITS, '0')}/${lane}`;
/** Returns the lane of a row: the chat of its event. Events of one lane are handled one after another. */
export const laneOf = (id: string): string => id.slice(DIGITS + 1);

export interface InboxDeps {
  /** Returns whether the inbox keeps events of this kind. It keeps only those that a handler wants. */
  wants(kind: BotEvent['kind']): boolean;
  /** Called once for operations that the bot does not get, because the server has deleted some of them. */
  missed(gap: Gap): void;
  opened(state: LocalState): void;
}

export class Inbox implements AccountPart {
  readonly tables = [inbox, last, closed];
  readonly #deps: InboxDeps;
  /** The ids of the rows that the listener of `follow` knows. */
  readonly #told = new Set<string>();
  #state: LocalState | undefined;
  #me = '';

  constructor(deps: InboxDeps) {
    this.#deps = deps;
  }

  opened(state: LocalState, me: string): void {
    this.#state = state;
    this.#me = me;
    this.#deps.opened(state);
    state.onCommit((changes) => {
      if (changes.some(({ table: name }) => name === cursors.name)) this.#noteGap();
    });
    this.#noteGap();
  }

  /**
   * Makes an event of operations that are missing: the replica is at a later revision than the last operation that came.
   * That is so after everything was read again. An earlier revision belongs to another log, such as that of a backup.
   */
  #noteGap(): void {
    const state = this.#opened();
    const lastOf = (revision: string | undefined): boolean => revision === state.get(last, ME);
    if (lastOf(state.get(cursors, ME)?.revision)) return;
    const noted = state.change(async (tx) => {
      const revision = (await tx.get(cursors, ME))?.revision;
      const before = await tx.get(last, ME);
      if (revision === undefined || revision === before) return undefined;
      tx.put(last, ME, revision);
      if (before === undefined || Number(revision) < Number(before)) return undefined;
      const gap = { first: String(Number(before) + 1), last: revision };
      if (this.#deps.wants('gap'))
        tx.put(inbox, rowId(revision, this.#me), { operation: sayingNothing(gap), gap, failures: 0 });
      return gap;
    });
    // If this cannot be stored, the next start does it.
    noted.then((gap) => gap && this.#deps.missed(gap)).catch(() => undefined);
  }

  readonly observe = async (tx: Tx, operation: OpenedOperation): Promise<void> => {
    if (Number(operation.revision) <= Number((await tx.get(last, ME)) ?? 0)) return;
    tx.put(last, ME, operation.revision);
    const { kind, chatMid } = eventOf(operation, this.#me);
    if (this.#deps.wants(kind)) tx.put(inbox, rowId(operation.revision, chatMid), { operation, failures: 0 });
  };

  /** The bot's own mid. */
  get me(): string {
    return this.#me;
  }

  /** Calls the listener with the id of each waiting row, and later with the id of each new row. */
  async follow(listener: (id: string) => void): Promise<void> {
    const state = this.#opened();
    const told = this.#told;
    const tell = (id: string): void => {
      if (!told.has(id)) listener(id);
      told.add(id);
    };
    // While `change` runs, nothing else can commit. So no row is missed between the list and `onCommit`.
    await state.change(async (tx) => {
      for (const [id] of await tx.list(inbox)) tell(id);
      state.onCommit((changes) => {
        for (const { table: name, id, record } of changes) {
          // If the messages cannot be taken in now, the next start does it.
          if (name === heldKeys.name) this.#takeOpenable().catch(() => undefined);
          if (name !== inbox.name) continue;
          if (record === undefined) told.delete(id);
          else tell(id);
        }
      });
    });
    await this.#takeOpenable();
  }

  /**
   * Remembers a message that handlers get unopened, if a key that this device may get later opens it. Then it becomes an
   * event once more.
   */
  async noteSealing({ operation }: InboxRow, sealing: Sealing): Promise<void> {
    if (operation.message?.sealing.state !== 'unopened') return;
    const id = rowId(operation.revision, eventOf(operation, this.#me).chatMid);
    const waitsFor = sealing.state === 'unopened' ? sealing.waitsFor : undefined;
    await this.#opened().change(async (tx) => {
      if (typeof waitsFor === 'object') tx.put(closed, id, { operation, keyId: waitsFor.keyId });
      else if (await tx.get(closed, id)) tx.delete(closed, id);
    });
  }

  /** Makes events of the messages whose key came. */
  async #takeOpenable(): Promise<void> {
    await this.#opened().change(async (tx) => {
      for (const [id] of await tx.list(closed)) {
        // A message that is being handled is taken in when its handlers have ended.
        if (!(await tx.get(inbox, id))) await takeIfOpenable(tx, id);
      }
    });
  }

  async read(id: string): Promise<InboxRow | undefined> {
    return this.#opened().change((tx) => tx.get(inbox, id));
  }

  async noteFailure(id: string, row: InboxRow): Promise<void> {
    await this.#opened().change(async (tx) => tx.put(inbox, id, row));
  }

  /**
   * Deletes a row and the keys of its answers. The keys are not needed any more, because the event is never handled
   * again.
   */
  async done(id: string, { operation }: InboxRow): Promise<void> {
    await this.#opened().change(async (tx) => {
      tx.delete(inbox, id);
      await forgetCauses(tx, keysOf(operation.revision));
      if (await takeIfOpenable(tx, id)) this.#told.delete(id);
    });
  }

  #opened(): LocalState {
    if (this.#state) return this.#state;
    throw new Error('The bot has not been started.');
  }
}

/** Returns the operation of a gap, for the contexts of its handlers. */
const sayingNothing = ({ last: revision }: Gap): OpenedOperation => ({
  revision,
  createdTime: '0',
  type: operationTypes.END_OF_OPERATION,
  reqSeq: 0,
});

/** Makes an event of a closed message, if this device has its key by now. Returns whether it did. */
async function takeIfOpenable(tx: Tx, id: string): Promise<boolean> {
  const message = await tx.get(closed, id);
  const held = (await tx.get(heldKeys, ME))?.keyIds ?? [];
  if (!message || !held.includes(message.keyId)) return false;
  tx.delete(closed, id);
  tx.put(inbox, id, { operation: message.operation, failures: 0 });
  return true;
}
