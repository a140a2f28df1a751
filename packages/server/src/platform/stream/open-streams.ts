// The open streams of this server. They get the operations that this server appends, and operations of other servers
// that a poll of the log finds.
import type { Clock } from '@sealpost/contract/ports';
import { sqlSet } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { framesOf, RECONNECT } from './frames.ts';
import { createLogReads } from './log-reads.ts';
import { createLogWaiters, type LogWaiters } from './log-waiters.ts';
import type { LoggedOperation, OperationLog } from './operation-log.ts';
import { type OpenSession, type Sink, Stream, type StreamContext, type StreamInfo } from './stream.ts';
import { createUnread } from './unread.ts';

export interface OpenStreamsOptions {
  readonly store: Store;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly pingMs: number;
  /** Milliseconds between two calls of `tick`. */
  readonly tickMs: number;
  /** Maximum number of bytes that one client may leave unread. */
  readonly bufferBytes: number;
  /** Maximum number of bytes that all clients together may leave unread. */
  readonly totalBytes: number;
  readonly streamsPerAccount: number;
  readonly onDelivered: StreamContext['onDelivered'];
  readonly onError: (error: unknown) => void;
}

const headsAbove = sqlSet<{ account_id: number; revision: number }>(
  { account_id: 'bigint', revision: 'bigint' },
  `select h.account_id as account_id, h.revision as revision from {given}
   join operation_head h on h.account_id = given.account_id and h.revision > given.revision`,
);

export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #streams = new Map<number, Set<Stream>>();
  readonly #context: StreamContext;
  readonly #waiters: LogWaiters;
  #size = 0;

  constructor(options: OpenStreamsOptions) {
    const { store, log, bufferBytes, totalBytes, pingMs, onDelivered, onError } = options;
    const reads = createLogReads(store, log, bufferBytes / 2);
    this.#options = options;
    this.#waiters = createLogWaiters(reads);
    this.#context = {
      reads,
      unread: createUnread<Stream>(totalBytes, (stream) => stream.cut()),
      bufferBytes,
      pingMs,
      onDelivered,
      onError,
      onClosed: (stream) => this.#forget(stream),
    };
  }

  /** Number of open streams. */
  get size(): number {
    return this.#size;
  }

  publish(operations: readonly LoggedOperation[]): void {
    const read = new Map<number, LoggedOperation[]>();
    for (const operation of operations) {
      const { accountId } = operation;
      // Only operations of accounts with an open stream are collected, because most accounts have no open stream.
      if (this.#streams.has(accountId)) {
        const some = read.get(accountId);
        if (some) some.push(operation);
        else read.set(accountId, [operation]);
      }
      this.#waiters.wake(accountId);
    }
    for (const [accountId, some] of read) deliver(this.#of(accountId), some);
  }

  /** Tells the streams and waiters of an account that something may be new. */
  wake(accountId: number): void {
    for (const stream of this.#of(accountId)) stream.wake();
    this.#waiters.wake(accountId);
  }

  open(info: StreamInfo, sink: Sink): { close(): void } {
    const { clock, streamsPerAccount } = this.#options;
    const own = this.#streams.get(info.accountId) ?? new Set();
    const [oldest] = own;
    if (own.size >= streamsPerAccount) oldest?.end(RECONNECT);
    const stream = new Stream(info, sink, this.#context, clock.monotonic());
    // The set is put into the map again, because closing the oldest stream may have removed it.
    this.#streams.set(info.accountId, own.add(stream));
    this.#size += 1;
    stream.begin(info.cursor);
    return stream;
  }

  /** Resolves when the account's log has grown beyond a revision, or when `signal` aborts. */
  changed(accountId: number, revision: number, signal: AbortSignal): Promise<void> {
    return this.#waiters.changed(accountId, revision, signal);
  }

  /** Returns the sessions with an open stream at this server, of one account or of all accounts. */
  openSessions(accountId?: number): OpenSession[] {
    return (accountId === undefined ? [...this.#streams.values()] : [this.#of(accountId)]).flatMap((own) => [...own]);
  }

  /** Ends the streams of a session with an event that tells the reason. */
  closeSession(accountId: number, sessionId: number, reason: Buffer): void {
    for (const stream of [...this.#of(accountId)]) if (stream.sessionId === sessionId) stream.end(reason);
  }

  /** Ends the streams that are open now. Pauses after each one, so that not all clients reconnect at once. */
  async closeAll(reason: Buffer, pause: () => Promise<void>): Promise<void> {
    for (const stream of [...this.#streams.values()].flatMap((own) => [...own])) {
      stream.end(reason);
      await pause();
    }
  }

  /** Sends the pings that are due, and drops clients that stopped reading. */
  tick(): void {
    const { clock, tickMs } = this.#options;
    const now = clock.monotonic();
    this.#context.unread.recount();
    for (const own of this.#streams.values()) for (const stream of [...own]) stream.tick(now, tickMs / 2);
  }

  /** Returns the bytes that clients have not read yet. */
  unread(): number {
    return this.#context.unread.recount();
  }

  /** Finds operations in the log that no wake-up announced. */
  async poll(): Promise<void> {
    const cursors = [...this.#streams].map(([id, own]) => [id, Math.min(...[...own].map((s) => s.position))]);
    for (const id of this.#waiters.accounts()) cursors.push([id, 0]);
    const behind = await this.#options.store.read((reader) => reader.each(headsAbove, cursors));
    for (const { account_id } of behind) this.wake(account_id);
  }

  #of(accountId: number): ReadonlySet<Stream> {
    return this.#streams.get(accountId) ?? NONE;
  }

  #forget(stream: Stream): void {
    this.#size -= 1;
    const own = this.#streams.get(stream.accountId);
    own?.delete(stream);
    if (own?.size === 0) this.#streams.delete(stream.accountId);
  }
}

const NONE: ReadonlySet<Stream> = new Set();

/**
 * Gives operations of one account, in the order of revisions, to the streams of this account. Streams with the same
 * position share the bytes.
 */
function deliver(own: Iterable<Stream>, operations: readonly LoggedOperation[]): void {
  const made = new Map<number, Buffer>();
  const framesFrom = (place: number): Buffer => {
    const bytes = made.get(place) ?? framesOf(operations.slice(place));
    made.set(place, bytes);
    return bytes;
  };
  for (const stream of own) stream.take(operations, framesFrom);
}
