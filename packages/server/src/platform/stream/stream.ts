// One open stream. It first reads the log after its cursor, then goes live; an operation that does not follow its
// cursor sends it back to the log. So there is no gap, no duplicate, and no queue to lose.
import { syncTriggerReasons } from '@sealpost/contract';
import { event } from './frames.ts';
import type { LogReads } from './log-reads.ts';
import type { LoggedOperation } from './operation-log.ts';
import type { Unread } from './unread.ts';

/** Operations read from the log at once: few at first, as they may be large, then as many as the buffer is good for. */
const FIRST_BACKFILL = 8;
const MOST_BACKFILL = 200;
const PING = event('ping', {});
const STALL_MS = 30_000;

/** Where a stream writes: the connection of one client. */
export interface Sink {
  /** Writes whole events; returns the bytes that the client has not taken yet, these included. */
  write(events: Buffer): number;
  /** Bytes that the client has not taken yet. */
  unread(): number;
  /** Resolves when the client has taken everything, or is gone. */
  drained(): Promise<void>;
  /** Closes once the client took what is there, or after a short time. */
  end(): void;
  /** Closes at once, and drops what the client has not taken. */
  cut(): void;
}

/** A session that something here waits for. */
export interface OpenSession {
  readonly accountId: number;
  readonly sessionId: number;
}

export interface StreamInfo extends OpenSession {
  /** The last revision that the client has; undefined for "from now on". */
  readonly cursor: number | undefined;
}

/** What all streams of a server share. */
export interface StreamContext {
  readonly reads: LogReads;
  readonly unread: Unread<Stream>;
  /** What one client may leave unread. */
  readonly bufferBytes: number;
  readonly pingMs: number;
  readonly onError: (error: unknown) => void;
  readonly onClosed: (stream: Stream) => void;
}

export class Stream implements OpenSession {
  readonly accountId: number;
  readonly sessionId: number;
  readonly sink: Sink;
  readonly #context: StreamContext;
  #position: number;
  /** Takes operations as they are published. If not, the log is being read. */
  #live = false;
  /** Something came while the log was being read. */
  #dirty = false;
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

  /** The last revision that the client was sent. */
  get position(): number {
    return this.#position;
  }

  begin(cursor: number | undefined): void {
    this.#orClose(this.#begin(cursor));
  }

  /** Operations of the account in the order of their revisions; `framesFrom` makes the bytes of those from a place on. */
  take(operations: readonly LoggedOperation[], framesFrom: (place: number) => Buffer): void {
    if (!this.#live) {
      this.#dirty = true;
      return;
    }
    const from = operations.findIndex(({ revision }) => revision > this.#position);
    if (from < 0) return;
    if (operations[from]?.revision !== this.#position + 1) {
      this.#catchUp();
      return;
    }
    const bytes = framesFrom(from);
    this.#position = (operations.at(-1) as LoggedOperation).revision;
    this.#write(bytes);
  }

  /** The log may have grown. */
  wake(): void {
    if (this.#live) this.#catchUp();
    else this.#dirty = true;
  }

  /** Sends the ping that is due in `soonMs`, or drops a client that stopped reading. */
  tick(now: number, soonMs: number): void {
    if (this.#isStalled(now)) this.close();
    else if (now + soonMs >= this.#nextPing) {
      // Under traffic as well: clients count pings.
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

  /** Closes, telling why. */
  end(reason: Buffer): void {
    this.#write(reason);
    this.close();
  }

  /** Closes, and drops what the client has not taken. */
  cut(): void {
    this.close();
    this.sink.cut();
  }

  /** A client that leaves too much unread is cut off; it resumes from its cursor. */
  #write(bytes: Buffer): void {
    const before = this.sink.unread();
    const after = this.sink.write(bytes);
    this.#context.unread.note(this, after);
    // A single event may be larger than the buffer: a client that had read all before gets the time to read it.
    if (before > 0 && after > this.#context.bufferBytes) this.close();
  }

  /** Whether a client left something unread at every look for a while. Right after a write there is always something. */
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
    await this.#readLog();
  }

  #catchUp(): void {
    this.#live = false;
    this.#orClose(this.#readLog());
  }

  async #readLog(): Promise<void> {
    while (this.#open) {
      this.#dirty = false;
      const chunk = await this.#context.reads.next(this.accountId, this.#position, this.#backfill);
      if (!chunk) {
        // No await between this check and going live: nothing can slip in between.
        if (this.#dirty) continue;
        this.#live = true;
        return;
      }
      if (chunk.first !== this.#position + 1) {
        await this.#restart(syncTriggerReasons.OPERATION_EXPIRED);
        continue;
      }
      if (!this.#open) return;
      this.#position = chunk.last;
      const count = chunk.last - chunk.first + 1;
      this.#backfill = chunk.isCut ? Math.max(count, FIRST_BACKFILL) : Math.min(this.#backfill * 2, MOST_BACKFILL);
      this.#write(chunk.bytes);
      await this.sink.drained();
    }
  }

  /** Tells the client to read everything anew, and goes on from the head of the log. */
  async #restart(reason: number): Promise<void> {
    const head = await this.#context.reads.head(this.accountId);
    this.#position = head.revision;
    if (this.#open) this.#write(event('fullSync', { reasons: [reason], nextRevision: String(head.revision) }));
  }
}
