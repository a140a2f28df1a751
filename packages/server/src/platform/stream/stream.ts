// One open stream. It first reads the log after the client's revision, then takes new operations as they are published.
// If an operation does not follow the last one sent, the stream reads the log again. So nothing is lost or sent twice,
// and no queue is needed.
import { syncTriggerReasons } from '@sealpost/contract';
import { type Chunk, event } from './frames.ts';
import type { LogReads } from './log-reads.ts';
import type { LoggedOperation } from './operation-log.ts';
import type { Unread } from './unread.ts';

/**
 * Number of operations that one read of the log returns. The first read returns few operations, because operations may
 * be large. Later reads return as many as fill the buffer.
 */
const FIRST_BACKFILL = 8;
const MOST_BACKFILL = 200;
const PING = event('ping', {});
const STALL_MS = 30_000;

/** The connection of one client, to which a stream writes. */
export interface Sink {
  /** Writes whole events. Returns the number of bytes that the client has not read yet, including these events. */
  write(events: Buffer): number;
  /** Returns the number of bytes that the client has not read yet. */
  unread(): number;
  /** Resolves when the client has read everything, or has disconnected. */
  drained(): Promise<void>;
  /** Closes the connection after the client has read what was written, but at the latest after a short time. */
  end(): void;
  /** Closes the connection at once, and drops what the client has not read. */
  cut(): void;
}

/** A session with an open stream or a waiting poll. */
export interface OpenSession {
  readonly accountId: number;
  readonly sessionId: number;
}

export interface StreamInfo extends OpenSession {
  /** The last revision that the client has; undefined for a stream that starts now. */
  readonly cursor: number | undefined;
}

/** The context that all streams of a server share. */
export interface StreamContext {
  readonly reads: LogReads;
  readonly unread: Unread<Stream>;
  /** Maximum number of bytes that one client may leave unread. */
  readonly bufferBytes: number;
  readonly pingMs: number;
  /**
   * Called when a stream that had everything wrote something new. Gets the time at which the oldest of the written
   * operations was added to the log.
   */
  readonly onDelivered: (createdTime: number) => void;
  readonly onError: (error: unknown) => void;
  readonly onClosed: (stream: Stream) => void;
}

export class Stream implements OpenSession {
  readonly accountId: number;
  readonly sessionId: number;
  readonly sink: Sink;
  readonly #context: StreamContext;
  #position: number;
  /** True if operations are sent as they are published; false while the log is being read. */
  #live = false;
  /** True if something was published while the log was being read. */
  #dirty = false;
  /** True once the client has received everything. Operations that it receives before that may be days old. */
  #current = false;
  #open = true;
  #nextPing: number;
  #stalledSince: number | undefined;
  #backfill = FIRST_BACKFILL;

  constructor({ accountId, sessionId, cursor = 0 }: StreamInfo, sink: Sink, context: StreamContext, now: number) {
    this.accountId = accountId;
    this.sessionId = sessionId;
    this.sink = sink;
    this.#context = context;
    this.#position = cursor;
    this.#nextPing = now + context.pingMs;
  }

  /** The last revision that was sent to the client. */
  get position(): number {
    return this.#position;
  }

  begin(cursor: number | undefined): void {
    this.#orClose(this.#begin(cursor));
  }

  /**
   * Sends published operations of the account, in the order of revisions. `framesFrom` returns the bytes of the
   * operations from an index on.
   */
  take(operations: readonly LoggedOperation[], framesFrom: (place: number) => Buffer): void {
    if (!this.#live) {
      this.#dirty = true;
      return;
    }
    const from = operations.findIndex(({ revision }) => revision > this.#position);
    const first = operations[from];
    if (!first) return;
    if (first.revision !== this.#position + 1) {
      this.#catchUp();
      return;
    }
    const bytes = framesFrom(from);
    this.#position = (operations.at(-1) as LoggedOperation).revision;
    this.#write(bytes);
    this.#context.onDelivered(first.createdTime);
  }

  /** Reads the log again, because it may have grown. */
  wake(): void {
    if (this.#live) this.#catchUp();
    else this.#dirty = true;
  }

  /** Sends a ping if it is due within `soonMs`, or drops a client that stopped reading. */
  tick(now: number, soonMs: number): void {
    if (this.#isStalled(now)) this.close();
    else if (now + soonMs >= this.#nextPing) {
      // Pings are sent during traffic too, because clients count them.
      this.#nextPing = now + this.#context.pingMs;
      this.#write(PING);
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#context.onClosed(this);
    this.sink.end();
  }

  /** Sends an event that tells the reason, then closes the stream. */
  end(reason: Buffer): void {
    this.#write(reason);
    this.close();
  }

  /** Closes the stream at once, and drops what the client has not read. */
  cut(): void {
    this.close();
    this.sink.cut();
  }

  /**
   * Writes events. A client that leaves too many bytes unread is disconnected. It resumes later from its last revision.
   */
  #write(bytes: Buffer): void {
    const before = this.sink.unread();
    const after = this.sink.write(bytes);
    this.#context.unread.note(this, after);
    // A single event may exceed the buffer, so a client that had read everything before gets time to read it.
    if (before > 0 && after > this.#context.bufferBytes) this.close();
  }

  /**
   * Returns whether every check in the last STALL_MS found unread bytes. One check alone proves nothing, because bytes
   * are always unread right after a write.
   */
  #isStalled(now: number): boolean {
    if (this.sink.unread() === 0) this.#stalledSince = undefined;
    else this.#stalledSince ??= now;
    return this.#stalledSince !== undefined && now - this.#stalledSince > STALL_MS;
  }

  #orClose(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#context.onError(error);
      this.close();
    });
  }

  async #begin(cursor: number | undefined): Promise<void> {
    const head = await this.#context.reads.head(this.accountId);
    if (!this.#open) return;
    this.#write(event('connInfoRevision', 1));
    if (cursor === undefined) this.#position = head.revision;
    else if (cursor > head.revision) await this.#restart(syncTriggerReasons.REVISION_GAP_TOO_LARGE_CLIENT);
    else if (cursor < head.firstRevision - 1) await this.#restart(syncTriggerReasons.OPERATION_EXPIRED);
    await this.#readLog(head.revision);
  }

  #catchUp(): void {
    this.#live = false;
    this.#orClose(this.#readLog());
  }

  /** @param head a revision that the log is known to have reached; 0 if none is known */
  async #readLog(head = 0): Promise<void> {
    const { reads } = this.#context;
    let known = head;
    // A stream that had everything is woken for few operations, often together with others.
    let isNews = this.#current;
    while (this.#open) {
      this.#dirty = false;
      const part = await (isNews
        ? reads.news(this.accountId, this.#position)
        : reads.next(this.accountId, this.#position, this.#backfill));
      const { chunk, isEnd } = part;
      isNews = false;
      known = Math.max(known, part.head);
      if (!chunk && isEnd && this.#position < known) {
        // The log reached the known revision, so everything after the position was trimmed meanwhile.
        await this.#restart(syncTriggerReasons.OPERATION_EXPIRED);
        known = 0;
        continue;
      }
      if (chunk && !(await this.#writeChunk(chunk))) continue;
      // There is no `await` between this check and the change of `#live`, so nothing can be published in between.
      if (!isEnd || this.#dirty) continue;
      this.#live = true;
      this.#current = true;
      return;
    }
  }

  /** Sends operations of the log. Returns false if operations before them are missing. */
  async #writeChunk(chunk: Chunk): Promise<boolean> {
    if (chunk.first !== this.#position + 1) {
      await this.#restart(syncTriggerReasons.OPERATION_EXPIRED);
      return false;
    }
    if (!this.#open) return true;
    this.#position = chunk.last;
    const count = chunk.last - chunk.first + 1;
    this.#backfill = chunk.isCut ? Math.max(count, FIRST_BACKFILL) : Math.min(this.#backfill * 2, MOST_BACKFILL);
    this.#write(chunk.bytes);
    if (this.#current) this.#context.onDelivered(chunk.createdTime);
    await this.sink.drained();
    return true;
  }

  /** Tells the client to load all its data again, and continues from the head of the log. */
  async #restart(reason: number): Promise<void> {
    const head = await this.#context.reads.head(this.accountId);
    this.#position = head.revision;
    if (this.#open) this.#write(event('fullSync', { reasons: [reason], nextRevision: String(head.revision) }));
  }
}
