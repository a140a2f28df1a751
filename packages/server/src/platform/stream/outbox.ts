// From the log to the open streams. A stream first reads the log after its cursor, then goes live; an operation that
// does not follow its cursor sends it back to the log. So there is no gap, no duplicate, and no queue to lose.
import { syncTriggerReasons } from '@sealpost/contract';
import type { Clock } from '../kernel/ports.ts';
import { sqlSet } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { type Chunk, chunkOf, event, framesOf } from './frames.ts';
import type { LoggedOperation, OperationLog } from './operation-log.ts';
import { createUnread } from './unread.ts';

/** Operations read from the log at once: few at first, as they may be large, then as many as the buffer is good for. */
const FIRST_BACKFILL = 8;
const MOST_BACKFILL = 200;

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

export interface StreamInfo {
  readonly accountId: number;
  readonly sessionId: number;
  /** The last revision that the client has; undefined for "from now on". */
  readonly cursor: number | undefined;
}

/** A session that something here waits for. */
export interface OpenSession {
  readonly accountId: number;
  readonly sessionId: number;
}

export interface OpenStream {
  close(): void;
}

export interface Outbox {
  publish(operations: readonly LoggedOperation[]): void;
  /** Something may be new for this account, in the log or elsewhere. */
  wake(accountId: number): void;
  open(info: StreamInfo, sink: Sink): OpenStream;
  /** Resolves when the account's log grew beyond a revision, or when `signal` aborts. */
  changed(accountId: number, revision: number, signal: AbortSignal): Promise<void>;
  /** Sessions, of one account or of all, that have a stream open here. */
  openSessions(accountId?: number): OpenSession[];
  /** Ends the streams of a session, telling why. */
  closeSession(accountId: number, sessionId: number, event: Buffer): void;
  /** Ends every stream, a share at a time so that clients do not all come back at once. */
  closeAll(event: Buffer, pause: () => Promise<void>): Promise<void>;
  /** Sends the pings that are due, and drops clients that stopped reading. */
  tick(): void;
  /** Looks in the log for what no wake-up told. */
  poll(): Promise<void>;
  /** Bytes that clients have not taken yet. */
  unread(): number;
  readonly size: number;
}

export interface OutboxOptions {
  readonly store: Store;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly pingMs: number;
  /** How often `tick` is called. */
  readonly tickMs: number;
  /** What one client may leave unread. */
  readonly bufferBytes: number;
  /** What all clients together may leave unread. */
  readonly totalBytes: number;
  readonly streamsPerAccount: number;
  readonly onError: (error: unknown) => void;
}

interface Stream extends StreamInfo {
  readonly sink: Sink;
  position: number;
  live: boolean;
  /** Something came while the log was being read. */
  dirty: boolean;
  open: boolean;
  nextPing: number;
  stalledSince: number | undefined;
  backfill: number;
}

const headsAbove = sqlSet<{ account_id: number; revision: number }>(
  { account_id: 'bigint', revision: 'bigint' },
  `select h.account_id as account_id, h.revision as revision from {given}
   join operation_head h on h.account_id = given.account_id and h.revision > given.revision`,
);

const PING = event('ping', {});
const STALL_MS = 30_000;

export function createOutbox(options: OutboxOptions): Outbox {
  const { store, log, clock } = options;
  const streams = new Map<number, Set<Stream>>();
  const waiters = new Map<number, Set<() => void>>();
  let size = 0;
  const unread = createUnread<Stream>(options.totalBytes, (stream) => {
    close(stream);
    stream.sink.cut();
  });
  const reads = new Map<string, Promise<Chunk | undefined>>();

  function close(stream: Stream): void {
    if (!stream.open) return;
    stream.open = false;
    size -= 1;
    const own = streams.get(stream.accountId);
    own?.delete(stream);
    if (own?.size === 0) streams.delete(stream.accountId);
    stream.sink.end();
  }

  /** A client that leaves too much unread is cut off; it resumes from its cursor. */
  function write(stream: Stream, bytes: Buffer): void {
    const before = stream.sink.unread();
    const after = stream.sink.write(bytes);
    unread.note(stream, after);
    // A single event may be larger than the buffer: a client that had read all before gets the time to read it.
    if (before > 0 && after > options.bufferBytes) close(stream);
  }

  /** Whether a client left something unread at every look for a while. Right after a write there is always something. */
  function isStalled(stream: Stream, now: number): boolean {
    if (stream.sink.unread() === 0) stream.stalledSince = undefined;
    else stream.stalledSince ??= now;
    return stream.stalledSince !== undefined && now - stream.stalledSince > STALL_MS;
  }

  /** Gives operations of one account, in the order of their revisions, to its streams: the same bytes to all. */
  function deliver(own: Iterable<Stream>, operations: readonly LoggedOperation[]): void {
    const made = new Map<number, Buffer>();
    const last = (operations.at(-1) as LoggedOperation).revision;
    for (const stream of own) {
      if (!stream.live) {
        stream.dirty = true;
        continue;
      }
      const from = operations.findIndex(({ revision }) => revision > stream.position);
      if (from < 0) continue;
      if (operations[from]?.revision !== stream.position + 1) {
        catchUp(stream);
        continue;
      }
      const bytes = made.get(from) ?? framesOf(operations.slice(from));
      made.set(from, bytes);
      stream.position = last;
      write(stream, bytes);
    }
  }

  function catchUp(stream: Stream): void {
    stream.live = false;
    readLog(stream).catch((error: unknown) => {
      options.onError(error);
      close(stream);
    });
  }

  /** Reads what comes next in a log. Streams that ask at the same moment, as after a wake-up, share the answer. */
  function readNext({ accountId, position, backfill }: Stream): Promise<Chunk | undefined> {
    const key = `${accountId} ${position} ${backfill}`;
    const same = reads.get(key);
    if (same) return same;
    const chunk = store
      .read((reader) => log.readAfter(reader, accountId, position, backfill))
      .then((found) => chunkOf(found, options.bufferBytes / 2));
    reads.set(key, chunk);
    // Only at the same moment: an answer that was asked for earlier may lack what a wake-up told since.
    queueMicrotask(() => reads.delete(key));
    return chunk;
  }

  async function readLog(stream: Stream): Promise<void> {
    while (stream.open) {
      stream.dirty = false;
      const chunk = await readNext(stream);
      if (!chunk) {
        // No await between this check and going live: nothing can slip in between.
        if (stream.dirty) continue;
        stream.live = true;
        return;
      }
      if (chunk.first !== stream.position + 1) {
        await restart(stream, syncTriggerReasons.OPERATION_EXPIRED);
        continue;
      }
      if (!stream.open) return;
      stream.position = chunk.last;
      const count = chunk.last - chunk.first + 1;
      stream.backfill = chunk.isCut ? Math.max(count, FIRST_BACKFILL) : Math.min(stream.backfill * 2, MOST_BACKFILL);
      write(stream, chunk.bytes);
      await stream.sink.drained();
    }
  }

  /** Tells the client to read everything anew, and goes on from the head of the log. */
  async function restart(stream: Stream, reason: number): Promise<void> {
    const head = await store.read((reader) => log.head(reader, stream.accountId));
    stream.position = head.revision;
    if (stream.open) write(stream, event('fullSync', { reasons: [reason], nextRevision: String(head.revision) }));
  }

  async function begin(stream: Stream): Promise<void> {
    const head = await store.read((reader) => log.head(reader, stream.accountId));
    if (!stream.open) return;
    write(stream, event('connInfoRevision', 1));
    if (stream.cursor === undefined) stream.position = head.revision;
    else if (stream.cursor > head.revision) await restart(stream, syncTriggerReasons.REVISION_GAP_TOO_LARGE_CLIENT);
    else if (stream.cursor < head.firstRevision - 1) await restart(stream, syncTriggerReasons.OPERATION_EXPIRED);
    await readLog(stream);
  }

  function wake(accountId: number): void {
    for (const stream of streams.get(accountId) ?? []) {
      if (stream.live) catchUp(stream);
      else stream.dirty = true;
    }
    const waiting = waiters.get(accountId);
    if (waiting) for (const resolve of [...waiting]) resolve();
  }

  /** Waits for one wake-up at most; answers whether the log was longer before that. */
  async function grew(accountId: number, revision: number, signal: AbortSignal): Promise<boolean> {
    const own = waiters.get(accountId) ?? new Set();
    waiters.set(accountId, own);
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    own.add(resolve);
    signal.addEventListener('abort', stop, { once: true });
    try {
      // The look comes after the wish is noted, so that nothing is missed between the two.
      const head = await store.read((reader) => log.head(reader, accountId));
      if (head.revision > revision) return true;
      if (!signal.aborted) await promise;
      return false;
    } finally {
      signal.removeEventListener('abort', stop);
      own.delete(resolve);
      if (own.size === 0 && waiters.get(accountId) === own) waiters.delete(accountId);
    }
  }

  return {
    get size() {
      return size;
    },
    publish(operations) {
      const read = new Map<number, LoggedOperation[]>();
      for (const operation of operations) {
        const { accountId } = operation;
        // Most operations are read by nobody at the time.
        if (streams.has(accountId)) {
          const some = read.get(accountId);
          if (some) some.push(operation);
          else read.set(accountId, [operation]);
        }
        const waiting = waiters.size > 0 ? waiters.get(accountId) : undefined;
        if (waiting) for (const resolve of [...waiting]) resolve();
      }
      for (const [accountId, some] of read) deliver(streams.get(accountId) ?? [], some);
    },
    wake,
    open(info, sink) {
      const own = streams.get(info.accountId) ?? new Set();
      streams.set(info.accountId, own);
      if (own.size >= options.streamsPerAccount) {
        for (const oldest of own) {
          write(oldest, event('reconnect', {}));
          close(oldest);
          break;
        }
        streams.set(info.accountId, own);
      }
      const stream: Stream = {
        ...info,
        sink,
        position: info.cursor ?? 0,
        live: false,
        dirty: false,
        open: true,
        nextPing: clock.monotonic() + options.pingMs,
        stalledSince: undefined,
        backfill: FIRST_BACKFILL,
      };
      own.add(stream);
      size += 1;
      begin(stream).catch((error: unknown) => {
        options.onError(error);
        close(stream);
      });
      return { close: () => close(stream) };
    },
    async changed(accountId, revision, signal) {
      // A wake-up may be about something else, and the poll of the log wakes whoever waits: then it waits on.
      let there = false;
      while (!there && !signal.aborted) there = await grew(accountId, revision, signal);
    },
    openSessions: (accountId) =>
      (accountId === undefined ? [...streams.values()] : [streams.get(accountId) ?? []]).flatMap((own) => [...own]),
    closeSession(accountId, sessionId, text) {
      for (const stream of [...(streams.get(accountId) ?? [])]) {
        if (stream.sessionId !== sessionId) continue;
        write(stream, text);
        close(stream);
      }
    },
    async closeAll(text, pause) {
      for (const own of [...streams.values()]) {
        for (const stream of [...own]) {
          write(stream, text);
          close(stream);
        }
        await pause();
      }
    },
    tick() {
      const now = clock.monotonic();
      unread.recount();
      for (const own of streams.values()) {
        for (const stream of [...own]) {
          if (isStalled(stream, now)) close(stream);
          else if (now + options.tickMs / 2 >= stream.nextPing) {
            // Under traffic as well: clients count pings.
            stream.nextPing = now + options.pingMs;
            write(stream, PING);
          }
        }
      }
    },
    unread: unread.recount,
    async poll() {
      const cursors = [...streams].map(([id, own]) => [id, Math.min(...[...own].map((s) => s.position))]);
      for (const [id] of waiters) cursors.push([id, 0]);
      const behind = await store.read((reader) => reader.each(headsAbove, cursors));
      for (const { account_id } of behind) wake(account_id);
    },
  };
}
