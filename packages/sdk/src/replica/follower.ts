// Follows the operation log. The effects of operations are stored in the same commit as the cursor, so no operation is
// lost.
import { contactStatus } from '@sealpost/contract';
import { isPassing } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';
import type { StateChange } from '../operations.ts';
import type { OpenedEvent, OpenedOperation, SealingClient } from '../sealing/sealing-client.ts';
import type { LocalState, Tx } from '../store/local-state.ts';
import { applyOperation } from './effects.ts';
import { mark } from './marks.ts';
import type { Refresh } from './refresh.ts';
import type { ServerState } from './server-state.ts';
import { chats, contacts, cursors, ME, marks } from './tables.ts';

/**
 * A function of another part of the client, which stores its own data for an operation. It runs in the commit that
 * applies the operation.
 */
export type Observer = (tx: Tx, operation: OpenedOperation) => Promise<void>;

export interface FollowerDeps {
  readonly me: string;
  readonly state: LocalState;
  readonly server: ServerState;
  readonly refresh: Refresh;
  readonly sealing: Pick<SealingClient, 'operations'>;
  readonly ports: Pick<ClientPorts, 'timers' | 'random'>;
  readonly observers: readonly Observer[];
  readonly signal: AbortSignal;
  readonly onState: (change: StateChange) => void;
}

/** The maximum number of operations in one commit. */
const BATCH = 200;
/** The maximum number of operations that wait for a commit. At this number, the reading of the stream pauses. */
const WAITING = 1000;
const BACKOFF: Backoff = { initialMs: 500, maxMs: 30_000, multiplier: 2, jitter: 0.5 };

const EVERYTHING = `all/${ME}`;

export class Follower {
  readonly #deps: FollowerDeps;
  readonly #waiting: OpenedEvent[] = [];
  readonly #stream = new AbortController();
  #applying: Promise<void> | undefined;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  /**
   * Follows until the signal aborts, or `stop` is called. Throws when the session ends, or when the state cannot be
   * stored.
   */
  async run(): Promise<void> {
    const { state, sealing, signal, onState } = this.#deps;
    if (!state.get(cursors, ME) || state.get(marks, EVERYTHING)) await this.#readAll();
    await this.#markUntold();
    this.#deps.refresh.wake();
    let failure: unknown;
    const failed = (error: unknown): void => {
      failure = error;
      this.stop();
    };
    const from = state.get(cursors, ME)?.revision ?? '0';
    const until = AbortSignal.any([signal, this.#stream.signal]);
    const events = sealing.operations({ from, onState, signal: until, atOnce: true });
    for await (const event of events) {
      this.#waiting.push(event);
      this.#applying ??= Promise.resolve().then(() => this.#apply().catch(failed));
      if (this.#waiting.length >= WAITING) await this.#applying;
    }
    await this.#applying;
    if (failure !== undefined) throw failure;
  }

  /** Ends the stream. A new follower continues at the revision of the replica. */
  stop(): void {
    this.#stream.abort();
  }

  /**
   * At each start, marks records that may have changed without an operation, so that they are read again. These are
   * people who are not contacts, and the members of chats to which the account is only invited.
   */
  async #markUntold(): Promise<void> {
    const { state, me } = this.#deps;
    const strangers = [...state.all(contacts)].filter(([, { status }]) => !isFriend(status));
    const invitations = [...state.all(chats)].filter(([, chat]) => chat.extra?.groupExtra?.inviteeMids?.includes(me));
    const { revision = '0' } = state.get(cursors, ME) ?? {};
    await state.change(async (tx) => {
      for (const [mid] of strangers) mark(tx, 'contact', mid, revision);
      for (const [mid] of invitations) mark(tx, 'chat', mid, revision);
    });
  }

  async #apply(): Promise<void> {
    const { state, signal, refresh } = this.#deps;
    try {
      while (this.#waiting.length > 0 && !signal.aborted && !this.#stream.signal.aborted) {
        const batch = this.#waiting.splice(0, BATCH);
        const whole = await state.change((tx) => this.#applyBatch(tx, batch));
        if (whole) {
          refresh.wake();
          continue;
        }
        await this.#readAll();
        // The replica is now at another revision than the stream, so a new stream is needed. After a `fullSync` alone,
        // no new stream is needed, because the server itself has moved the stream.
        if (batch.some(({ kind }) => kind === 'operation')) return this.stop();
      }
    } finally {
      // Nothing can run between the moment when `#waiting` is found empty and this line. So an event that comes later
      // starts `#apply` again.
      this.#applying = undefined;
    }
  }

  /** Applies events in order. Returns false if operations are missing, so that everything must be read again. */
  async #applyBatch(tx: Tx, batch: readonly OpenedEvent[]): Promise<boolean> {
    for (const event of batch) {
      if (event.kind === 'fullSync' || !(await applyOperation(tx, this.#deps.me, event.operation))) {
        mark(tx, 'all', ME, event.kind === 'fullSync' ? event.nextRevision : event.operation.revision);
        return false;
      }
      for (const observe of this.#deps.observers) await observe(tx, event.operation);
    }
    return true;
  }

  async #readAll(): Promise<void> {
    const { server, signal, ports, onState } = this.#deps;
    for (let failures = 0; !signal.aborted; ) {
      try {
        return await server.readAll();
      } catch (error) {
        if (!isPassing(error)) throw error;
        const retryInMs = backoffDelay(BACKOFF, failures++, ports.random);
        onState({ state: 'degraded', reason: error instanceof Error ? error.message : String(error), retryInMs });
        await pause(ports.timers, retryInMs, signal);
      }
    }
  }
}

const isFriend = (status: number): boolean =>
  status === contactStatus.FRIEND || status === contactStatus.FRIEND_BLOCKED;
