// Sends what waits in the outbox. Each chat is a lane: its messages are sent one after another, in order. A refused
// message is marked and lets the next ones pass.
import type { Message } from '@sealpost/contract';
import type { BaseClient } from '../base-client.ts';
import { GatewayError } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';
import type { Progress } from '../media/send-media.ts';
import type { ClientLimits } from '../replica/client-limits.ts';
import { plainOf } from '../sealing/content.ts';
import type { SealingClient } from '../sealing/sealing-client.ts';
import { findArrived } from './arrived.ts';
import { type AttemptDeps, type AttemptResult, attempt, RENEWALS } from './attempt.ts';
import { failureOf, outcomeOf } from './outcome.ts';
import type { Outgoing } from './outgoing.ts';
import type { OutboxRows } from './rows.ts';
import { begun, failed, lost, renewed } from './states.ts';

/** What a sender takes from the client. */
export interface SenderClient {
  readonly client: Pick<BaseClient, 'TalkService' | 'session' | 'nextReqSeq'>;
  readonly sealing: Pick<SealingClient, 'prepare' | 'learn'>;
  readonly ports: Pick<ClientPorts, 'clock' | 'timers' | 'random'>;
  readonly signal: AbortSignal;
  /** Sends a message and uploads or copies its object. Repeated with the same row, it continues. */
  sendWithObject(
    row: Outgoing,
    options: { signal: AbortSignal; onProgress(progress: Progress): void },
  ): Promise<Message>;
  /** Takes back what was sent of such a message. Resolves when nothing of it is left. */
  withdrawObject(row: Outgoing, options: { signal: AbortSignal }): Promise<void>;
  /** Waits until the operation log was applied up to where it is now. */
  caughtUp(): Promise<void>;
  /** Returns the id of the newest message that is known in a chat; `0` if there is none. */
  newestIn(chatMid: string): string;
  limits(): Promise<ClientLimits>;
}

export interface SenderDeps extends SenderClient {
  readonly rows: OutboxRows;
  /** Stores that the server has a message, which leaves the outbox with it. */
  arrived(row: Outgoing, message: Message): Promise<void>;
  onProgress(localId: string, progress: Progress): void;
}

const BACKOFF: Backoff = { initialMs: 500, maxMs: 60_000, multiplier: 2, jitter: 0.5 };
/** How long a request may hang in the network. Only after that time its absence in the log is certain. */
const LONGEST_REQUEST_MS = 60_000;
/** After this many errors that are none of the SDK's own, a message counts as refused. */
const ODD_ERRORS = 8;

export class Sender {
  readonly #deps: SenderDeps;
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #uploads = new Map<string, AbortController>();
  /** How many odd errors a message has met. */
  readonly #odd = new Map<string, number>();
  #woken = new AbortController();
  #heldUntil = 0;
  #unsending = false;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Begins to send what waits, and ends the pauses of lanes that are being sent. */
  wake(): void {
    this.#woken.abort();
    this.#woken = new AbortController();
    for (const chatMid of new Set(this.#deps.rows.all().map((row) => row.chatMid))) {
      if (this.#lanes.has(chatMid)) continue;
      // If the store fails, the message stays as it was stored last, and the next wake tries again.
      const lane = Promise.resolve().then(() => this.#run(chatMid));
      this.#lanes.set(
        chatMid,
        lane.catch(() => undefined),
      );
    }
    void this.unsend();
  }

  /** Ends the upload of a message, if one is running. */
  stopUpload(localId: string): void {
    this.#uploads.get(localId)?.abort();
  }

  /** Unsends messages that were taken back before their ids were known. */
  async unsend(): Promise<void> {
    const { rows, client, signal } = this.#deps;
    if (this.#unsending) return;
    this.#unsending = true;
    try {
      for (const [id, { reqSeq }] of rows.toUnsend()) {
        if (signal.aborted || !client.session) return;
        try {
          await client.TalkService.unsendMessage(reqSeq, id);
        } catch (error) {
          if (outcomeOf(error, false).kind !== 'refused') return;
        }
        await rows.unsent(id);
      }
    } finally {
      this.#unsending = false;
    }
  }

  /** Waits until the lanes have stopped. The signal must have been aborted before. */
  async closed(): Promise<void> {
    await Promise.all(this.#lanes.values());
  }

  async #run(chatMid: string): Promise<void> {
    const { rows, signal, client } = this.#deps;
    try {
      for (let failures = 0; !signal.aborted && client.session; ) {
        const row = rows.next(chatMid);
        if (!row) return;
        const result = await this.#try(row);
        failures = result.kind === 'again' || result.kind === 'held' ? failures + 1 : 0;
        if (failures > 0) await this.#pauseAfter(result, failures);
      }
    } finally {
      // In the same turn as the look that found nothing: a message that is queued later begins a new lane.
      this.#lanes.delete(chatMid);
    }
  }

  async #pauseAfter(result: AttemptResult, failures: number): Promise<void> {
    const { ports } = this.#deps;
    const asked = 'waitMs' in result ? result.waitMs : undefined;
    if (result.kind === 'held') this.#heldUntil = ports.clock.now() + (asked ?? 0);
    const waitMs = asked ?? backoffDelay(BACKOFF, failures - 1, ports.random);
    await this.#pause(Math.max(waitMs, this.#heldUntil - ports.clock.now()));
  }

  async #pause(ms: number): Promise<void> {
    const { ports, signal } = this.#deps;
    if (ms > 0) await pause(ports.timers, ms, AbortSignal.any([signal, this.#woken.signal]));
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
    if (row.file || row.copyOf !== undefined) return this.#tryWithObject(row);
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
    const { signal: closed, sendWithObject, onProgress } = this.#deps;
    if (row.takenBack) return this.#withdraw(row);
    const upload = new AbortController();
    this.#uploads.set(row.localId, upload);
    try {
      if (!(await this.#begin(row))) return { kind: 'gone' };
      const signal = AbortSignal.any([closed, upload.signal]);
      const options = { signal, onProgress: (progress: Progress) => onProgress(row.localId, progress) };
      return { kind: 'sent', message: await sendWithObject(row, options) };
    } catch (error) {
      // The message was taken back: the next attempt finds out what of it must be unsent.
      if (upload.signal.aborted) return { kind: 'again', waitMs: 0 };
      const outcome = outcomeOf(error, true);
      if (outcome.kind !== 'refused') return { kind: outcome.kind === 'later' ? 'held' : 'again' };
      return (await this.#sealedInstead(row, error)) ?? { kind: 'failed', failure: outcome.failure, odd: outcome.odd };
    } finally {
      this.#uploads.delete(row.localId);
    }
  }

  /** Notes that something of the message may be sent from now on. Returns undefined if it was taken back before. */
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
      if (outcome.kind !== 'refused') return { kind: outcome.kind === 'later' ? 'held' : 'again' };
    }
    await this.#deps.rows.remove(row);
    return { kind: 'gone' };
  }

  /** A file that went in the clear is tried again if its chat wants sealed ones by now. */
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
   * Finds out whether a message arrived, when its reqSeq no longer tells. For that the operation log is read to its end,
   * and then the history of the chat. If the message did not arrive, it is queued with a new reqSeq.
   * @param known `arrived` if it certainly did, so that only its id is missing
   */
  async #settleByLog(row: Outgoing, { arrived = false } = {}): Promise<void> {
    const { rows, client, ports, signal, caughtUp, limits } = this.#deps;
    const since = ports.clock.now() - (row.firstAttempt?.time ?? 0);
    const left = arrived ? 0 : LONGEST_REQUEST_MS - since;
    if (left > 0) await pause(ports.timers, left, signal);
    try {
      await caughtUp();
      if (!rows.find(row.localId)) return;
      const message = await findArrived(client, row, (await limits()).syncMessages);
      if (message) return await this.#deps.arrived(row, message);
      // It arrived, and is gone: unsent by another device, or removed with the history.
      if (arrived) return await rows.remove(row);
      await rows.renumber(row, lost);
    } catch (error) {
      if (signal.aborted) return;
      if (outcomeOf(error, true).kind === 'refused') throw error;
      await this.#pause(backoffDelay(BACKOFF, 1, ports.random));
    }
  }
}
