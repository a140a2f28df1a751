// Gives events to the handlers. Events of one chat are handled one after another, events of different chats at the same
// time.
import type { Client } from '../client.ts';
import { isPassing } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';
import { NotReadable } from './context-of.ts';
import type { EventRunner } from './event-runner.ts';
import { type Inbox, type InboxRow, laneOf } from './inbox.ts';
import type { TryAgain } from './options.ts';

export interface WorkerDeps {
  readonly inbox: Inbox;
  readonly client: Client;
  readonly ports: Pick<ClientPorts, 'timers' | 'random'>;
  /** Maximum number of chats whose events are handled at the same time. */
  readonly parallel: number;
  /** Returns whether an event is tried again after this number of failures. */
  readonly mayTryAgain: TryAgain;
  readonly events: Pick<EventRunner, 'handle' | 'waits' | 'failed'>;
  /** Called when the local state cannot be read or stored. After that, no more events are handled. */
  broken(error: unknown): void;
}

const BACKOFF: Backoff = { initialMs: 500, maxMs: 30_000, multiplier: 3, jitter: 0.5 };

export class Worker {
  readonly #deps: WorkerDeps;
  /** The inbox ids of the waiting events, by chat. The chat that has waited longest is first. */
  readonly #waiting = new Map<string, string[]>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  /** Begins to handle the events that wait in the inbox, and each new event. */
  async start(): Promise<void> {
    await this.#deps.inbox.follow((id) => {
      const lane = laneOf(id);
      const waiting = this.#waiting.get(lane);
      if (waiting) waiting.push(id);
      else this.#waiting.set(lane, [id]);
      this.#fill();
    });
  }

  /** Accepts no more events. Resolves when the running handlers have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running.values());
  }

  #fill(): void {
    for (const [lane, waiting] of this.#waiting) {
      if (this.#stopping.signal.aborted || this.#running.size >= this.#deps.parallel) return;
      const [id] = waiting;
      if (id === undefined || this.#running.has(lane)) continue;
      this.#running.set(lane, this.#run(lane, id, waiting));
    }
  }

  async #run(lane: string, id: string, waiting: string[]): Promise<void> {
    try {
      if (!(await this.#handle(id))) return;
      waiting.shift();
    } catch (error) {
      this.#stopping.abort();
      this.#deps.broken(error);
    } finally {
      this.#running.delete(lane);
      // This chat goes to the end of the queue, so that the other chats come first.
      this.#waiting.delete(lane);
      if (waiting.length > 0) this.#waiting.set(lane, waiting);
      this.#fill();
    }
  }

  /**
   * Runs the handlers of an event until they succeed or have failed too often. Returns false if the bot stops before
   * that.
   */
  async #handle(id: string): Promise<boolean> {
    const { inbox, mayTryAgain, ports } = this.#deps;
    const { signal } = this.#stopping;
    let row = await inbox.read(id);
    for (let uncounted = 0; row; ) {
      const failure = await this.#try(row);
      if (!failure) break;
      if (signal.aborted) return false;
      if (!this.#counts(failure.error)) {
        if (uncounted === 0 && failure.error instanceof NotReadable) this.#deps.events.waits(row, failure.error);
        await pause(ports.timers, backoffDelay(BACKOFF, uncounted++, ports.random), signal);
        continue;
      }
      const failed: InboxRow = { ...row, failures: row.failures + 1 };
      const isLastTry = !mayTryAgain(failure.error, failed.failures);
      await this.#deps.events.failed(failed, failure.error, isLastTry);
      if (isLastTry) break;
      await inbox.noteFailure(id, failed);
      await pause(ports.timers, backoffDelay(BACKOFF, row.failures, ports.random), signal);
      if (signal.aborted) return false;
      row = failed;
    }
    if (row) await inbox.done(id, row);
    return true;
  }

  /** Returns whether the handlers caused the failure. A missing connection, or a server that fails, does not count. */
  #counts(error: unknown): boolean {
    if (error instanceof NotReadable) return false;
    return !isPassing(error) || this.#deps.client.connection.state === 'online';
  }

  async #try(row: InboxRow): Promise<{ readonly error: unknown } | undefined> {
    try {
      await this.#deps.events.handle(row);
      return undefined;
    } catch (error) {
      return { error };
    }
  }
}
