// The outbox: messages are stored before they are sent, and leave the outbox when the server has acknowledged them.
import type { Message } from '@sealpost/contract';
import type { ClientPorts } from '../gateway/ports.ts';
import { Listeners } from '../listeners.ts';
import type { Progress } from '../media/send-media.ts';
import type { SealableMessage } from '../sealing/content.ts';
import type { OpenedMessage } from '../sealing/open.ts';
import type { OpenedOperation, SealingClient } from '../sealing/sealing-client.ts';
import { type SentMessage, sentMessage } from '../sealing/send.ts';
import type { SendMode } from '../sealing/send-mode.ts';
import type { Change, LocalState, Tx } from '../store/local-state.ts';
import { echoed } from './echo.ts';
import { localIdOf, type Outgoing, outgoing } from './outgoing.ts';
import { OutboxRows, type QueueOptions } from './rows.ts';
import { Sender, type SenderClient } from './sender.ts';
import { retried, withdrawn } from './states.ts';
import { Waiting } from './waiting.ts';

export interface OutboxDeps extends SenderClient {
  readonly sealing: Pick<SealingClient, 'prepare' | 'learn' | 'open'>;
  readonly state: LocalState;
  readonly ports: Pick<ClientPorts, 'clock' | 'timers' | 'random' | 'onListenerError'>;
  /** Puts a sent message into the replica, in the commit that takes it out of the outbox. */
  addSent(tx: Tx, message: OpenedMessage, localId: string): Promise<void>;
}

/** The progress of uploading the file of a message. */
export interface UploadProgress extends Progress {
  readonly localId: string;
}

export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #rows: OutboxRows;
  readonly #sender: Sender;
  readonly #waiting = new Waiting();
  readonly #progress: Listeners<UploadProgress>;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    this.#rows = new OutboxRows(deps.state, () => deps.client.nextReqSeq());
    this.#progress = new Listeners(deps.ports.onListenerError);
    this.#sender = new Sender({
      ...deps,
      rows: this.#rows,
      arrived: (row, message) => this.#arrived(row, message),
      onProgress: (localId, progress) => this.#progress.tell({ localId, ...progress }),
    });
    deps.state.onCommit((changes) => this.#committed(changes));
  }

  /** Returns the messages that wait, in the order in which they were queued. */
  all(): readonly Outgoing[] {
    return this.#rows.all();
  }

  /**
   * Stores a message, and begins to send it. Returns its id on this device, once it is stored.
   * @param content the message, without `createdTime`, which the outbox sets
   * @throws TypeError if a caller without types passes something else than texts
   */
  async queue(content: SealableMessage, options: QueueOptions = {}): Promise<string> {
    const { to, text = '' }: { to: unknown; text?: unknown } = content;
    if (typeof to !== 'string' || typeof text !== 'string') throw new TypeError(`not texts: to ${to}, text ${text}`);
    const localId = await this.#rows.insert(content, options, this.#deps.ports.clock.now());
    this.wake();
    return localId;
  }

  /**
   * Waits until the server has acknowledged a queued message, and returns the message. A message that has left the
   * outbox is still returned if it was queued with a cause that is not yet forgotten.
   * @throws SendFailed if the message is refused, cancelled, or not known any more. Its reason is `logged_out` if the
   * session ends first: the message stays in the outbox, and is sent after a new login.
   */
  async sent(localId: string): Promise<SentMessage> {
    const row = this.#rows.find(localId);
    const before = !row && (await this.#rows.sentBefore(localId));
    if (before) return before;
    const sent = this.#waiting.for(localId);
    if (!row || row.state === 'failed') this.#waiting.over(localId, row?.failure);
    if (!this.#deps.client.session) this.wake();
    return sent;
  }

  /** Removes a stored cause, so that another message with this cause can be queued. */
  async forget(cause: string): Promise<void> {
    await this.#rows.forgetCause(cause);
  }

  /**
   * Takes a message back, so that it is not sent any more. A message that cannot have arrived leaves the outbox at
   * once. If it may have arrived, it stays until that is known, and the client unsends it if it did. Returns false if
   * the message is not in the outbox any more.
   */
  async cancel(localId: string): Promise<boolean> {
    const row = this.#rows.find(localId);
    const time = this.#deps.ports.clock.now();
    // The message may leave the outbox while this change waits for an earlier one.
    let isThere = false;
    if (row)
      await this.#rows.change(row, (now) => {
        isThere = true;
        return withdrawn(now, time);
      });
    if (isThere) {
      this.#sender.stopUpload(localId);
      this.wake();
    }
    return isThere;
  }

  /**
   * Queues a failed message once more, at its old place among the messages of its chat. Returns false if the message is
   * not in the outbox or has not failed.
   * @param mode how to send the message from now on; if not given, its mode stays the same
   */
  async retry(localId: string, mode?: SendMode): Promise<boolean> {
    const row = this.#rows.find(localId);
    if (row?.state !== 'failed') return false;
    await this.#rows.renumber(row, (now, reqSeq) => retried(now, reqSeq, mode));
    this.wake();
    return true;
  }

  /**
   * Calls the listener when a part of a file was uploaded. Returns the function that removes the listener. Progress is
   * not stored: after a restart, the first call tells how much the server already has.
   */
  onProgress(listener: (progress: UploadProgress) => void): () => void {
    return this.#progress.add(listener);
  }

  /**
   * Begins to send the waiting messages. Called when a message is queued, and when the connection or the session is
   * back. After the end of the session, tells those who wait that nothing is sent.
   */
  wake(): void {
    if (this.#deps.client.session) this.#sender.wake();
    else this.#waiting.loggedOut();
  }

  /**
   * Recognizes messages of the outbox in the operation log. A message in the log was sent, even if the answer to the
   * send call was lost.
   */
  async observe(tx: Tx, operation: OpenedOperation): Promise<void> {
    const row = echoed(this.all(), operation);
    if (row && operation.message) await this.#settle(tx, row, operation.message);
  }

  /** Waits until no message is being sent any more. The caller must abort the signal before. */
  async closed(): Promise<void> {
    await this.#sender.closed();
  }

  async #arrived(row: Outgoing, message: Message): Promise<void> {
    const opened = await this.#deps.sealing.open(message);
    await this.#deps.state.change((tx) => this.#settle(tx, row, opened));
  }

  /** Takes a message out of the outbox, and puts it into the replica. */
  async #settle(tx: Tx, row: Outgoing, message: OpenedMessage): Promise<void> {
    const sentAs = (now: Outgoing): SentMessage =>
      sentMessage(now.content, now.prepared ?? { sealed: message.sealing.state !== 'plain' }, message);
    const settled = await this.#rows.settle(tx, row, message.id, sentAs);
    if (!settled) return;
    await this.#deps.addSent(tx, message, row.localId);
    this.#waiting.sent(row.localId, sentAs(settled));
  }

  #committed(changes: readonly Change[]): void {
    for (const { table, id, record } of changes) {
      if (table !== outgoing.name) continue;
      const row = record as Outgoing | undefined;
      if (row && row.state !== 'failed') continue;
      this.#waiting.over(localIdOf(id), row?.failure);
    }
    this.#sender.unsend();
  }
}
