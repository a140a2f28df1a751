// From the log to the open streams. A stream first reads the log after its cursor, then goes live; an operation that
// does not follow its cursor sends it back to the log. So there is no gap, no duplicate, and no queue to lose.
import { syncTriggerReasons } from '@sealpost/contract';
import type { Clock } from '../kernel/ports.ts';
import { sqlSet } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { type LoggedOperation, type OperationLog, operationJson } from './operation-log.ts';

/** Operations read from the log at once: few at first, as they may be large, then as many as the buffer is good for. */
const FIRST_BACKFILL = 8;
const MOST_BACKFILL = 200;

/** Where a stream writes: the connection of one client. */
export interface Sink {
  /** Writes text of whole events; answers the bytes that the client has not taken yet, these included. */
  write(events: string): number;
  /** Bytes that the client has not taken yet. */
  unread(): number;
  /** Resolves when the client has taken everything, or is gone. */
  drained(): Promise<void>;
  end(): void;
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
  closeSession(accountId: number, sessionId: number, event: string): void;
  /** Ends every stream, a share at a time so that clients do not all come back at once. */
  closeAll(event: string, pause: () => Promise<void>): Promise<void>;
  /** Sends pings where it was silent, and drops clients that stopped reading. */
  tick(): void;
  /** Looks in the log for what no wake-up told. */
  poll(): Promise<void>;
  readonly size: number;
}

export interface OutboxOptions {
  readonly store: Store;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly pingMs: number;
  readonly bufferBytes: number;
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
  pending: string;
  lastWrite: number;
  stalledSince: number | undefined;
  backfill: number;
}

const headsAbove = sqlSet<{ account_id: number; revision: number }>(
  { account_id: 'bigint', revision: 'bigint' },
  `select h.account_id as account_id, h.revision as revision from {given}
   join operation_head h on h.account_id = given.account_id and h.revision > given.revision`,
);

export const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const PING = event('ping', {});
const STALL_MS = 30_000;

export function createOutbox(options: OutboxOptions): Outbox {
  const { store, log, clock } = options;
  const streams = new Map<number, Set<Stream>>();
  const waiters = new Map<number, Set<() => void>>();
  let size = 0;

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
  function write(stream: Stream, text: string): void {
    stream.lastWrite = clock.monotonic();
    if (stream.sink.write(text) > options.bufferBytes) close(stream);
  }

  /** Whether a client left something unread at every look for a while. Right after a write there is always something. */
  function isStalled(stream: Stream, now: number): boolean {
    if (stream.sink.unread() === 0) stream.stalledSince = undefined;
    else stream.stalledSince ??= now;
    return stream.stalledSince !== undefined && now - stream.stalledSince > STALL_MS;
  }

  function offer(stream: Stream, operation: LoggedOperation): void {
    if (!stream.live) stream.dirty = true;
    else if (operation.revision === stream.position + 1) {
      stream.pending += frame(operation);
      stream.position = operation.revision;
    } else if (operation.revision > stream.position) catchUp(stream);
  }

  function catchUp(stream: Stream): void {
    stream.live = false;
    readLog(stream).catch((error: unknown) => {
      options.onError(error);
      close(stream);
    });
  }

  async function readLog(stream: Stream): Promise<void> {
    while (stream.open) {
      stream.dirty = false;
      const found = await store.read((reader) =>
        log.readAfter(reader, stream.accountId, stream.position, stream.backfill),
      );
      const first = found[0];
      if (!first) {
        // No await between this check and going live: nothing can slip in between.
        if (stream.dirty) continue;
        stream.live = true;
        return;
      }
      if (first.revision !== stream.position + 1) {
        await restart(stream, syncTriggerReasons.OPERATION_EXPIRED);
        continue;
      }
      stream.position = (found.at(-1) as LoggedOperation).revision;
      const text = found.map(frame).join('');
      const isLarge = text.length > options.bufferBytes / 4;
      stream.backfill = isLarge ? FIRST_BACKFILL : Math.min(stream.backfill * 2, MOST_BACKFILL);
      write(stream, text);
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
      const touched = new Set<Stream>();
      for (const operation of operations) {
        const own = streams.get(operation.accountId);
        if (own) {
          for (const stream of own) {
            offer(stream, operation);
            touched.add(stream);
          }
        }
        const waiting = waiters.size > 0 ? waiters.get(operation.accountId) : undefined;
        if (waiting) for (const resolve of [...waiting]) resolve();
      }
      for (const stream of touched) {
        const { pending } = stream;
        if (pending === '' || !stream.open) continue;
        stream.pending = '';
        write(stream, pending);
      }
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
        pending: '',
        lastWrite: clock.monotonic(),
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
      for (const own of streams.values()) {
        for (const stream of [...own]) {
          if (isStalled(stream, now)) close(stream);
          // A tick comes every quarter of the ping time, so three quarters of silence are due.
          else if (now - stream.lastWrite >= options.pingMs * 0.75) write(stream, PING);
        }
      }
    },
    async poll() {
      const cursors = [...streams].map(([id, own]) => [id, Math.min(...[...own].map((s) => s.position))]);
      for (const [id] of waiters) cursors.push([id, 0]);
      const behind = await store.read((reader) => reader.each(headsAbove, cursors));
      for (const { account_id } of behind) wake(account_id);
    },
  };
}

const frame = (operation: LoggedOperation): string =>
  `id: ${operation.revision}\ndata: ${operationJson(operation)}\n\n`;
