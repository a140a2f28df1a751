// fetchOps: operations by long poll, for clients that do not open the stream.
import { ApiError, limits, parseI64 } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import type { sync } from '@sealpost/contract/schemas';
import { type Handlers, RawJson } from '../../platform/rpc/call.ts';
import { pollWindow } from '../../platform/rpc/poll-window.ts';
import type { Store } from '../../platform/store/store.ts';
import type { OpenStreams } from '../../platform/stream/open-streams.ts';
import { type OperationLog, operationJson } from '../../platform/stream/operation-log.ts';
import type { OpenSession } from '../../platform/stream/stream.ts';

const USUAL_WAIT_MS = 60_000;
const USUAL_COUNT = 100;
/**
 * Maximum number of operations that one query reads. This many operations of the largest size are as large as the
 * largest answer.
 */
const AT_ONCE = 100;

export interface OperationPollsDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly openStreams: Pick<OpenStreams, 'changed'>;
  readonly timers: Timers;
}

export interface OperationPolls {
  readonly handlers: Handlers<keyof typeof sync>;
  /** Ends the poll of a session that has ended. The poll is answered with an empty list. */
  endSession(sessionId: number): void;
  /** Returns the sessions that poll at this server: those of one account, or all. */
  openSessions(accountId?: number): OpenSession[];
  endAll(): void;
}

/** Returns the error for a cursor from which the log cannot go on. */
const expired = (why: string): ApiError =>
  new ApiError('EXPIRED_REVISION', `${why}: ask getLastOpRevision, read everything again, and go on from its answer`);

interface Poll {
  readonly accountId: number;
  end(): void;
}

export function createOperationPolls({ store, log, openStreams, timers }: OperationPollsDeps): OperationPolls {
  const waiting = new Map<number, Poll>();

  const operationsAfter = (accountId: number, revision: number, count: number) =>
    store.read(async (reader) => {
      const head = await log.head(reader, accountId);
      if (revision > head.revision) {
        throw expired(`localRev ${revision} is ahead of the log, which ends at ${head.revision}`);
      }
      if (revision + 1 < head.firstRevision) {
        throw expired(`the log begins at ${head.firstRevision}, after localRev ${revision}`);
      }
      const found: string[] = [];
      let size = 0;
      // An answer may have fewer operations than requested. No operation is lost, because the next poll returns the
      // rest at once.
      while (found.length < count && size < limits.pageBytes.value) {
        const most = Math.min(AT_ONCE, count - found.length);
        const next = await log.readAfter(reader, accountId, revision + found.length, most);
        for (const operation of next) {
          // A log that is trimmed meanwhile has a gap. The next poll begins at it, and is refused.
          if (operation.revision !== revision + found.length + 1) return found;
          const json = operationJson(operation);
          size += Buffer.byteLength(json);
          found.push(json);
        }
        if (next.length < most) break;
      }
      return found;
    });

  /**
   * Waits for operations; returns false if none came. A session has one poll at a server. A newer poll ends the older
   * one, because the client has abandoned the older one. With several servers, the older poll may wait at another
   * server. It ends when its time is over.
   */
  async function news(accountId: number, sessionId: number, revision: number, ms: number, gone: AbortSignal) {
    const own = new AbortController();
    waiting.get(sessionId)?.end();
    const poll: Poll = { accountId, end: () => own.abort() };
    waiting.set(sessionId, poll);
    const timer = timers.after(ms, () => own.abort());
    const signal = AbortSignal.any([own.signal, gone]);
    try {
      await openStreams.changed(accountId, revision, signal);
      return !signal.aborted;
    } finally {
      timer.cancel();
      if (waiting.get(sessionId) === poll) waiting.delete(sessionId);
    }
  }

  return {
    handlers: {
      'TalkService.fetchOps': async (call, localRev, count = USUAL_COUNT) => {
        const { accountId, sessionId } = call.caller;
        const named = parseI64(localRev);
        const from = named ?? (await store.read((reader) => log.head(reader, accountId))).revision;
        const revision = Math.max(0, from);
        const most = Math.max(count, 1);
        let found = await operationsAfter(accountId, revision, most);
        if (found.length === 0) {
          const wait = pollWindow(call, USUAL_WAIT_MS);
          if (await news(accountId, sessionId, revision, wait, call.signal)) {
            found = await operationsAfter(accountId, revision, most);
          }
        }
        return new RawJson(`[${found.join(',')}]`);
      },
    },
    endSession: (sessionId) => waiting.get(sessionId)?.end(),
    openSessions: (accountId) =>
      [...waiting]
        .filter(([, poll]) => accountId === undefined || poll.accountId === accountId)
        .map(([sessionId, poll]) => ({ accountId: poll.accountId, sessionId })),
    endAll() {
      for (const poll of waiting.values()) poll.end();
    },
  };
}
