// Everything that the client keeps and runs for the logged-in account: the replica, the outbox, and the reading of the
// operation log.
import type { Message } from '@sealpost/contract';
import { drawUuid } from '@sealpost/contract/ports';
import { fromBase64 } from '@sealpost/crypto';
import { loaded } from './deferred.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from './gateway/ports.ts';
import type { Media } from './media/index.ts';
import type { MediaSource } from './media/outgoing.ts';
import type { UploadStore } from './media/upload-store.ts';
import type { StateChange } from './operations.ts';
import { type KeptFile, keepFile, keptFile, sweepFiles, uploads } from './outbox/kept-files.ts';
import { Outbox } from './outbox/outbox.ts';
import { type ObjectOptions, type Outgoing, type OutgoingFile, outboxTables } from './outbox/outgoing.ts';
import { isClosed } from './replica/closed.ts';
import { Follower, type Observer } from './replica/follower.ts';
import { mark } from './replica/marks.ts';
import { addOwn } from './replica/message-window.ts';
import { Refresh } from './replica/refresh.ts';
import { Replica } from './replica/replica.ts';
import { ServerState } from './replica/server-state.ts';
import { boxes, heldKeys, ME, marks, messages, replicaTables, type StoredMessage } from './replica/tables.ts';
import type { RpcClient } from './rpc-client.ts';
import type { SealingClient } from './sealing/sealing-client.ts';
import type { ClientStore } from './store/client-store.ts';
import { LocalState, type Table, wasClosed } from './store/local-state.ts';
import { sealedRows } from './store/sealed-rows.ts';

/** A part that keeps records of its own, which it updates with every operation. An example is the inbox of a bot. */
export interface AccountPart {
  readonly tables: readonly Table<unknown>[];
  /** Runs inside the commit that stores an operation. */
  readonly observe: Observer;
  /** Called when the local state of an account is open, before the client begins to follow the log. */
  opened(state: LocalState, mid: string): void;
}

export interface LocalAccountDeps {
  readonly rpc: RpcClient;
  readonly sealing: SealingClient;
  readonly media: Media;
  readonly store: ClientStore;
  readonly ports: ClientPorts;
  readonly parts: readonly AccountPart[];
  onConnection(change: StateChange): void;
}

const BACKOFF: Backoff = { initialMs: 1000, maxMs: 60_000, multiplier: 2, jitter: 0.5 };
/** Maximum milliseconds for the stream to catch up with the server. After that time, the stream is opened again. */
const CAUGHT_UP_MS = 15_000;

export class LocalAccount {
  readonly mid: string;
  readonly state: LocalState;
  readonly replica: Replica;
  readonly outbox: Outbox;
  readonly server: ServerState;
  readonly #deps: LocalAccountDeps;
  readonly #refresh: Refresh;
  readonly #closing = new AbortController();
  /** The most recent attempt to open messages that stayed sealed. `#triesBegun` counts the attempts begun so far. */
  #tries: Promise<void> = Promise.resolve();
  #triesBegun = 0;
  #following: Promise<void> | undefined;
  #follower: Follower | undefined;

  private constructor(deps: LocalAccountDeps, mid: string, state: LocalState) {
    const { rpc, sealing, ports } = deps;
    const { signal } = this.#closing;
    this.#deps = deps;
    this.mid = mid;
    this.state = state;
    const onUnkept = (message: StoredMessage): void => this.replica.opened(message);
    this.server = new ServerState({ me: mid, client: rpc, sealing, state, onUnkept });
    this.replica = new Replica({
      me: mid,
      state,
      sealing,
      now: () => ports.clock.now(),
      onListenerError: ports.onListenerError,
    });
    this.#refresh = new Refresh({ state, server: this.server, ports, signal });
    state.onCommit((changes) => {
      if (changes.some(({ table, record }) => table === marks.name && record !== undefined)) this.#refresh.wake();
    });
    this.outbox = new Outbox({
      client: rpc,
      sealing,
      state,
      ports,
      signal,
      sendWithObject: (row, options) => this.#sendWithObject(row, options),
      withdrawObject: (row, options) =>
        deps.media.withdraw(row.chatMid, row.localId, { ...options, after: row.firstAttempt?.after }),
      addSent: (tx, message, localId) => addOwn(tx, mid, { ...message, localId }),
      caughtUp: () => this.#caughtUp(),
      newestIn: (chatMid) => state.get(boxes, chatMid)?.last?.id ?? '0',
      limits: () => this.server.limits(),
    });
  }

  /** Opens the local state of an account. Sends nothing to the server. */
  static async open(deps: LocalAccountDeps, mid: string): Promise<LocalAccount> {
    const rows = await deps.store.state.open(mid);
    try {
      const sealed = deps.store.state.lasting ? await sealedRows(rows, deps.store.keyStore, mid) : rows;
      const others = deps.parts.flatMap(({ tables }) => tables);
      const tables = [...replicaTables, ...outboxTables, ...others];
      const state = await LocalState.open(sealed, tables, deps.ports.onListenerError);
      await sweepFiles(state);
      for (const part of deps.parts) part.opened(state, mid);
      return new LocalAccount(deps, mid, state);
    } catch (error) {
      await rows.close();
      throw error;
    }
  }

  /** The state of unfinished uploads, kept in the local state. */
  get uploads(): UploadStore {
    const { state } = this;
    return {
      load: (key) => state.get(uploads, key),
      save: (key, text) => state.change(async (tx) => tx.put(uploads, key, text)),
      remove: (key) => state.change(async (tx) => tx.delete(uploads, key)),
    };
  }

  /** Copies a file into the store, for a message that will be queued next. */
  keepFile(source: MediaSource): Promise<KeptFile> {
    return keepFile(this.state, `file-${drawUuid(this.#deps.ports.random)}`, source);
  }

  /** Begins to follow the operation log and to send waiting messages. Does nothing if that has already begun. */
  start(): void {
    this.#following ??= Promise.resolve().then(() => this.#follow());
    this.outbox.wake();
  }

  /** Resolves when the replica has everything that the server had at the time of the call. */
  async synced(): Promise<void> {
    await this.#caughtUp();
    await this.#tries;
    await this.#refresh.settled();
  }

  /**
   * Resolves when every operation that the log had at the time of the call was applied. If that takes long, opens the
   * stream again, because operations may have been lost on the open stream. Rejects if the account is closed before
   * that.
   */
  async #caughtUp(): Promise<void> {
    for (;;) {
      const before = this.replica.revision;
      const head = await this.#head();
      // A revision beyond the head belongs to another log, for example if the server was restored from a backup. In
      // that case, everything is read again.
      const ofOtherLog = Number(before ?? 0) > Number(head);
      const isThere = () => Number(this.replica.revision ?? -1) >= Number(head);
      const reached = await this.#when(ofOtherLog ? () => this.replica.revision !== before : isThere);
      if (reached && !ofOtherLog) return;
      if (this.replica.revision === before) this.#follower?.stop();
    }
  }

  /** Returns the newest revision of the log. If the account is closed meanwhile, the error says so. */
  #head(): Promise<string> {
    return this.server.head().catch((error: unknown) => {
      throw this.#closing.signal.aborted ? wasClosed() : error;
    });
  }

  /** Tries once more to open messages that stayed sealed, because this device may have the keys for them now. */
  openAgain(): Promise<void> {
    return this.#inTurn(() => this.#openAgain());
  }

  /**
   * Does the same as `openAgain`, but only if this device got keys since the last attempt: by a login, a backup, or
   * another process.
   */
  keysCame(): Promise<void> {
    return this.#inTurn(async () => {
      const held = this.state.get(heldKeys, ME);
      const isKnown = (keyId: number): boolean => held?.keyIds.includes(keyId) ?? false;
      if (!held?.tried || !(await this.#keyIds()).every(isKnown)) await this.#openAgain();
    });
  }

  /** Stops following and sending, and closes the local state. Messages that wait in the outbox stay there. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following?.catch(() => undefined);
    await this.outbox.closed();
    await this.state.close();
  }

  async #openAgain(): Promise<void> {
    const keyIds = await this.#keyIds();
    // From now on, a message that stayed sealed for lack of one of these keys is marked for another attempt when the
    // message is stored.
    await this.state.change(async (tx) => tx.put(heldKeys, ME, { keyIds, tried: false }));
    const closed = (await this.state.list(messages)).filter(([, message]) => isClosed(message));
    const closedLast = [...this.state.all(boxes).values()].filter(({ last }) => isClosed(last));
    const since = `again ${++this.#triesBegun}`;
    await this.state.change(async (tx) => {
      for (const [, { id }] of closed) mark(tx, 'message', id, since);
      for (const id of this.replica.closed) mark(tx, 'message', id, since);
      for (const { chatMid } of closedLast) mark(tx, 'box', chatMid, since);
      tx.put(heldKeys, ME, { keyIds, tried: true });
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#tries.then(work);
    this.#tries = turn.catch(() => undefined);
    return turn;
  }

  async #keyIds(): Promise<number[]> {
    return (await this.#deps.store.keyStore.ownKeys(this.mid)).map(({ keyId }) => keyId);
  }

  /** Resolves with true when a commit makes the condition true, and with false after CAUGHT_UP_MS. */
  async #when(isTrue: () => boolean): Promise<boolean> {
    const { signal } = this.#closing;
    const met = new AbortController();
    const look = (): void => {
      if (isTrue()) met.abort();
    };
    const unlisten = this.state.onCommit(look);
    look();
    await pause(this.#deps.ports.timers, CAUGHT_UP_MS, AbortSignal.any([signal, met.signal]));
    unlisten();
    const isMet = met.signal.aborted;
    if (!isMet && signal.aborted) throw wasClosed();
    return isMet;
  }

  async #follow(): Promise<void> {
    const { rpc, sealing, ports, parts, onConnection } = this.#deps;
    const { signal } = this.#closing;
    let told: StateChange['state'] | undefined;
    let reason = 'logged out';
    const tell = (change: StateChange): void => {
      told = change.state;
      onConnection(change);
    };
    for (let failures = 0; !signal.aborted && rpc.session; ) {
      const follower = new Follower({
        me: this.mid,
        state: this.state,
        server: this.server,
        refresh: this.#refresh,
        sealing,
        ports,
        signal,
        observers: [(tx, operation) => this.outbox.observe(tx, operation), ...parts.map(({ observe }) => observe)],
        onState: (change) => {
          if (change.state === 'online') {
            failures = 0;
            this.#refresh.wake();
            this.outbox.wake();
          }
          tell(change);
        },
      });
      this.#follower = follower;
      try {
        // If the keys cannot be read, messages stay sealed, and everything else continues.
        await this.keysCame().catch(() => undefined);
        await follower.run();
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
        if (signal.aborted || !rpc.session) break;
        const retryInMs = backoffDelay(BACKOFF, failures++, ports.random);
        tell({ state: 'degraded', reason, retryInMs });
        await pause(ports.timers, retryInMs, signal);
      }
    }
    // The stream has reported the end of the session itself, unless another call found it.
    if (!signal.aborted && told !== 'logged_out') tell({ state: 'logged_out', reason });
    this.#following = undefined;
    this.#follower = undefined;
    this.outbox.wake();
  }

  async #sendWithObject(row: Outgoing, options: ObjectOptions): Promise<Message> {
    const sendFile = (file: OutgoingFile) => this.#sendFile(row, file, options);
    if (row.file) return sendFile(row.file);
    const { forwardMedia } = await loaded(import('./messaging/forward-media.ts'));
    return forwardMedia({ ...this.#deps, account: this, sendFile }, row, options);
  }

  async #sendFile(row: Outgoing, file: OutgoingFile, options: ObjectOptions): Promise<Message> {
    const { keptAs, size, preview, keepMetadata, sealedPreview, ...about } = file;
    const { relatedMessageId } = row.content;
    const media = {
      ...about,
      bytes: keptFile(this.state, keptAs, size),
      ...(preview && { preview: { ...preview, bytes: fromBase64(preview.base64) } }),
    };
    return this.#deps.media.send(row.chatMid, media, {
      mode: row.mode,
      resumeKey: row.localId,
      replyTo: relatedMessageId === undefined ? undefined : String(relatedMessageId),
      after: row.firstAttempt?.after,
      keepMetadata,
      sealedPreview,
      ...options,
    });
  }
}
