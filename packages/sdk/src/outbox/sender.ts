// Sends the messages of the outbox. Each chat is a lane: its messages are sent one after another, in order. A refused
// message is marked as failed, and the messages after it are still sent.
import type { Message } from '@sealpost/contract';
import type { BaseClient } from '../base-client.ts';
import { GatewayError } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';
import type { Progress } from '../media/send-media.ts';
import type { ClientLimits } from '../replica/client-limits.ts';
import { plainOf } from '../sealing/content.ts';
import type { SealingClient } from '../sealing/sealing-client.ts';
import { findArrived } from './arrived.ts';
import { type AttemptDeps, type AttemptResult, afterOpen, attempt, RENEWALS } from './attempt.ts';
import { failureOf, outcomeOf } from './outcome.ts';
import { hasObject, type ObjectOptions, type Outgoing } from './outgoing.ts';
import type { OutboxRows } from './rows.ts';
import { begun, failed, lost, renewed } from './states.ts';

/** The functions of the client that a sender needs. */
export interface SenderClient {
  readonly client: Pick<BaseClient, 'TalkService' | 'session' | 'nextReqSeq'>;
  readonly sealing: Pick<SealingClient, 'prepare' | 'learn'>;
  readonly ports: Pick<ClientPorts, 'clock' | 'timers' | 'random'>;
  readonly signal: AbortSignal;
  /** Sends a message and uploads or copies its object. A second call with the same row continues the first one. */
  sendWithObject(row: Outgoing, options: ObjectOptions): Promise<Message>;
  /**
   * Takes back the parts of a message that `sendWithObject` has sent. Resolves when the server has nothing of the
   * message any more.
   */
  withdrawObject(row: Outgoing, options: { signal: AbortSignal }): Promise<void>;
  /** Waits until this device has applied every operation that the log has at the time of the call. */
  caughtUp(): Promise<void>;
  /** Returns the id of the newest message that is known in a chat; `0` if there is none. */
  newestIn(chatMid: string): string;
  limits(): Promise<ClientLimits>;
}

export interface SenderDeps extends SenderClient {
  readonly rows: OutboxRows;
  /** Notes that the server has stored a message, and takes the message out of the outbox. */
  arrived(row: Outgoing, message: Message): Promise<void>;
  onProgress(localId: string, progress: Progress): void;
}

const BACKOFF: Backoff = { initialMs: 500, maxMs: 60_000, multiplier: 2, jitter: 0.5 };
/**
 * Maximum milliseconds until a request reaches the server. During this time, a message that is not in the log may still
 * arrive.
 */
const LONGEST_REQUEST_MS = 60_000;
/** The number of odd errors after which a message counts as refused; see `odd` of `Outcome`. */
const ODD_ERRORS = 8;
/**
 * The lane of texts that were taken back. They are not sent again to find out whether they had arrived: others would
 * see them for a moment. Because of the lane of their own, no other message waits for them.
 */
const TAKEN_TEXTS = 'taken back';
/** The lane of messages that were taken back before their ids were known. The lanes of chats have the ids of their chats. */
const UNSENDING = 'unsending';

export class Sender {
  readonly #deps: SenderDeps;
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #uploads = new Map<string, AbortController>();
  /** The number of odd errors of each message, by `localId`. */
  readonly #odd = new Map<string, number>();
  #woken = new AbortController();
  /** Resolves when the server accepts messages again, if it told how long it does not. */
  #held: Promise<void> | undefined;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Begins to send the waiting messages, and ends the pauses of lanes that are already running. */
  wake(): void {
    this.#woken.abort();
    this.#woken = new AbortController();
    const { rows } = this.#deps;
    for (const chatMid of new Set(rows.all().map((row) => row.chatMid))) {
      let failures = 0;
      this.#startLane(
        chatMid,
        () => rows.next(chatMid),
        async (row) => {
          if (this.#held) return this.#held;
          const result = await this.#try(row);
          failures = result.kind === 'again' || result.kind === 'held' ? failures + 1 : 0;
          if (failures > 0) await this.#pauseAfter(result, failures);
        },
      );
    }
    this.#startLane(
      TAKEN_TEXTS,
      () => rows.takenText(),
      (row) => this.#settleByLog(row),
    );
    this.unsend();
  }

  /** Does the work of a lane, one item after another, until there is no next one. Does nothing if the lane runs. */
  #startLane<T>(lane: string, next: () => T | undefined, work: (item: T) => Promise<void>): void {
    if (this.#lanes.has(lane)) return;
    const { signal, client } = this.#deps;
    const run = async (): Promise<void> => {
      try {
        for (let item = next(); item && !signal.aborted && client.session; item = next()) await work(item);
      } finally {
        // Nothing can run between the moment when `next` finds no item and this line. So a later item begins a new lane.
        this.#lanes.delete(lane);
      }
    };
    // If the store fails, the message keeps the state that was stored last, and the next `wake` tries again.
    const running = Promise.resolve().then(run);
    this.#lanes.set(
      lane,
      running.catch(() => undefined),
    );
  }

  /** Ends the upload of a message, if one is running. */
  stopUpload(localId: string): void {
    this.#uploads.get(localId)?.abort();
  }

  /** Unsends messages that were taken back before their ids were known. */
  unsend(): void {
    const { rows, client } = this.#deps;
    this.#startLane(
      UNSENDING,
      () => rows.toUnsend().entries().next().value,
      async ([id, { reqSeq }]) => {
        await client.TalkService.unsendMessage(reqSeq, id).catch((error) => {
          if (outcomeOf(error, false).kind !== 'refused') throw error;
        });
        await rows.unsent(id);
      },
    );
  }

  /** Waits until all lanes have stopped. The caller must abort the signal before. */
  async closed(): Promise<void> {
    await Promise.all(this.#lanes.values());
  }

  async #pauseAfter(result: AttemptResult, failures: number): Promise<void> {
    const { ports, signal } = this.#deps;
    const asked = 'waitMs' in result ? result.waitMs : undefined;
    if (result.kind === 'held' && asked !== undefined) return this.#hold(asked);
    const waitMs = asked ?? backoffDelay(BACKOFF, failures - 1, ports.random);
    if (waitMs > 0) await pause(ports.timers, waitMs, AbortSignal.any([signal, this.#woken.signal]));
  }

  /** Lets the lanes of all chats wait. Unlike other pauses, `wake` does not end this one: the server asked for it. */
  #hold(ms: number): Promise<void> {
    const { ports, signal } = this.#deps;
    const held = Promise.all([this.#held, pause(ports.timers, ms, signal)]).then(() => {
      if (this.#held === held) this.#held = undefined;
    });
    this.#held = held;
    return held;
  }

  /** Makes one attempt, and stores its outcome. */
  async #try(row: Outgoing): Promise<AttemptResult> {
    const { rows, arrived } = this.#deps;
    const result = await this.#attempt(row);
    switch (result.kind) {
      case 'sent':
        if (result.message) await arrived(row, result.message);
        else await this.#settleByLog(row, { arrived: true });
        break;
      case 'settle':
        await this.#settleByLog(row);
        break;
      case 'failed':
        if (result.odd && this.#isWorthAnother(row)) return { kind: 'again' };
        await rows.change(row, (now) => failed(now, result.failure));
    }
    if (result.kind !== 'again' && result.kind !== 'held') this.#odd.delete(row.localId);
    return result;
  }

  #attempt(row: Outgoing): Promise<AttemptResult> {
    if (hasObject(row)) return this.#tryWithObject(row);
    const { rows, client, sealing, ports, newestIn } = this.#deps;
    const update: AttemptDeps['update'] = (next) => rows.change(row, next);
    return attempt({ client, sealing, clock: ports.clock, update, newestId: newestIn(row.chatMid) }, row);
  }

  /** Counts the odd errors of a message. Returns whether it is worth another attempt. */
  #isWorthAnother({ localId }: Outgoing): boolean {
    const count = (this.#odd.get(localId) ?? 0) + 1;
    this.#odd.set(localId, count);
    return count < ODD_ERRORS;
  }

  async #tryWithObject(row: Outgoing): Promise<AttemptResult> {
    const { signal: closed, rows, sendWithObject, onProgress } = this.#deps;
    if (row.takenBack) return this.#withdraw(row);
    const upload = new AbortController();
    this.#uploads.set(row.localId, upload);
    try {
      const noted = await this.#begin(row);
      if (!noted) return { kind: 'gone' };
      const signal = AbortSignal.any([closed, upload.signal]);
      const message = await sendWithObject(noted, {
        signal,
        onProgress: (progress) => onProgress(row.localId, progress),
        update: (next) => rows.change(row, next),
      });
      return { kind: 'sent', message };
    } catch (error) {
      // The user took the message back. The next attempt takes back the parts that were already sent.
      if (upload.signal.aborted) return { kind: 'again', waitMs: 0 };
      const outcome = outcomeOf(error, true);
      if (outcome.kind !== 'refused') return afterOpen(outcome);
      return (await this.#sealedInstead(row, error)) ?? { kind: 'failed', failure: outcome.failure, odd: outcome.odd };
    } finally {
      this.#uploads.delete(row.localId);
    }
  }

  /**
   * Notes that parts of the message may reach the server from now on. Returns undefined if the message has left the
   * outbox.
   */
  #begin(row: Outgoing): Promise<Outgoing | undefined> {
    const { rows, client, ports, newestIn } = this.#deps;
    const session = client.session?.tokens.loginSessionId ?? '';
    return rows.change(row, (now) => begun(now, { time: ports.clock.now(), session, after: newestIn(row.chatMid) }));
  }

  async #withdraw(row: Outgoing): Promise<AttemptResult> {
    try {
      await this.#deps.withdrawObject(row, { signal: this.#deps.signal });
    } catch (error) {
      const outcome = outcomeOf(error, false);
      if (outcome.kind !== 'refused') return afterOpen(outcome);
    }
    await this.#deps.rows.remove(row);
    return { kind: 'gone' };
  }

  /**
   * Queues a file once more if it was sent unsealed, and the refusal means that its chat wants sealed files by now.
   * Returns undefined after another refusal.
   */
  async #sealedInstead(row: Outgoing, error: unknown): Promise<AttemptResult | undefined> {
    const { rows, sealing } = this.#deps;
    if (!(error instanceof GatewayError) || row.renewals >= RENEWALS) return undefined;
    try {
      const prepared = { outgoing: plainOf(row.content), sealed: false };
      if (!sealing.learn({ message: row.content, prepared, mode: row.mode }, error)) return undefined;
    } catch (better) {
      return { kind: 'failed', failure: failureOf(better) };
    }
    return (await rows.change(row, renewed)) ? { kind: 'again', waitMs: 0 } : { kind: 'gone' };
  }

  /**
   * Finds out whether a message arrived, without a repeated call with its reqSeq. Waits until the operation log is read
   * to its end, and then searches the history of the chat. If the message did not arrive, queues it with a new reqSeq,
   * or takes it out of the outbox if the user took it back.
   * @param known `arrived` is true if the message certainly arrived, so that only its id must be found
   */
  async #settleByLog(row: Outgoing, { arrived = false } = {}): Promise<void> {
    const { rows, client, ports, signal, caughtUp, limits } = this.#deps;
    // If the clock was set back, the time since then is not known.
    const since = Math.max(0, ports.clock.now() - (row.takenBack ?? row.firstAttempt?.time ?? 0));
    const left = arrived ? 0 : LONGEST_REQUEST_MS - since;
    if (left > 0) await pause(ports.timers, left, signal);
    try {
      await caughtUp();
      if (!rows.find(row.localId)) return;
      const message = await findArrived(client, row, (await limits()).syncMessages);
      if (message) return await this.#deps.arrived(row, message);
      // The message arrived, but it no longer exists: another device unsent it, or removed the history.
      if (arrived) return await rows.remove(row);
      await rows.renumber(row, lost);
    } catch (error) {
      if (signal.aborted) return;
      const outcome = outcomeOf(error, true);
      if (outcome.kind === 'refused') throw error;
      await this.#pauseAfter(afterOpen(outcome), 2);
    }
  }
}
