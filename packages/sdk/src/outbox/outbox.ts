// The outbox: messages are stored before they are sent, and leave it when the server has acknowledged them. Each chat
// is a lane: its messages are sent one after another, in order. A refused message is marked and lets the next ones pass.
import type { Message } from '@sealpost/contract';
import type { BaseClient } from '../base-client.ts';
import { GatewayError } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';
import type { Progress } from '../media/send-media.ts';
import type { ClientLimits } from '../replica/client-limits.ts';
import { plainOf, type SealableMessage } from '../sealing/content.ts';
import type { OpenedMessage } from '../sealing/open.ts';
import type { OpenedOperation, SealingClient } from '../sealing/sealing-client.ts';
import { type SentMessage, sentMessage } from '../sealing/send.ts';
import type { SendMode } from '../sealing/send-mode.ts';
import type { Change, LocalState, Tx } from '../store/local-state.ts';
import { findArrived } from './arrived.ts';
import { type AttemptResult, attempt, RENEWALS } from './attempt.ts';
import { echoed } from './echo.ts';
import { forgetFile, ownFile } from './kept-files.ts';
import { nextNumbers } from './numbers.ts';
import { failureOf, outcomeOf } from './outcome.ts';
import { causes, localIdOf, type Outgoing, type OutgoingFile, outgoing, positionKey, takenBack } from './outgoing.ts';
import { SendFailed } from './send-failed.ts';

export interface OutboxDeps {
  readonly me: string;
  readonly client: Pick<BaseClient, 'TalkService' | 'session' | 'nextReqSeq'>;
  readonly sealing: Pick<SealingClient, 'prepare' | 'learn' | 'open'>;
  readonly state: LocalState;
  readonly ports: Pick<ClientPorts, 'clock' | 'timers' | 'random'>;
  readonly signal: AbortSignal;
  /** Sends a message and uploads or copies its object. Repeated with the same row, it continues. */
  sendWithObject(
    row: Outgoing,
    options: { signal: AbortSignal; onProgress(progress: Progress): void },
  ): Promise<Message>;
  /** Puts a sent message into the replica, in the commit that takes it out of the outbox. */
  addSent(tx: Tx, message: OpenedMessage, localId: string): Promise<void>;
  /** Waits until the operation log was applied up to where it is now. */
  caughtUp(): Promise<void>;
  /** Returns the id of the newest message that is known in a chat; `0` if there is none. */
  newestIn(chatMid: string): string;
  limits(): Promise<ClientLimits>;
}

export interface QueueOptions {
  readonly mode?: SendMode | undefined;
  /** A name for what caused the message. A second message with the same cause is not queued; it gets the first one's id. */
  readonly cause?: string | undefined;
  readonly file?: OutgoingFile | undefined;
  /** The id of a plain message whose object is copied for this one. */
  readonly copyOf?: string | undefined;
  /** Further changes of the same commit, such as removing the draft. */
  also?(tx: Tx): void;
}

const BACKOFF: Backoff = { initialMs: 500, maxMs: 60_000, multiplier: 2, jitter: 0.5 };
/** How long a request may hang in the network. Only after that time its absence in the log is certain. */
const LONGEST_REQUEST_MS = 60_000;

/** After this many errors that are none of the SDK's own, a message counts as refused. */
const ODD_ERRORS = 8;

/** How much of the file of a message has been uploaded. */
export interface UploadProgress extends Progress {
  readonly localId: string;
}

type Waiting = { resolve(sent: SentMessage): void; reject(error: unknown): void };

export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, Waiting[]>();
  /** What became of messages, until the commit that says so. */
  readonly #results = new Map<string, SentMessage>();
  readonly #uploads = new Map<string, AbortController>();
  /** How many odd errors a message has met. */
  readonly #odd = new Map<string, number>();
  readonly #listeners = new Set<(progress: UploadProgress) => void>();
  #woken = new AbortController();
  #heldUntil = 0;
  #takingBack = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    deps.state.onCommit((changes) => this.#committed(changes));
  }

  /** Returns the messages that wait, in the order in which they were queued. */
  all(): readonly Outgoing[] {
    return [...this.#deps.state.all(outgoing).values()].sort((a, b) => a.position - b.position);
  }

  /**
   * Stores a message, and begins to send it. Returns its id on this device, once it is stored.
   * @param content the message, without `createdTime`, which the outbox sets
   */
  async queue(content: SealableMessage, options: QueueOptions = {}): Promise<string> {
    const localId = await this.#deps.state.change(async (tx) => {
      const known = options.cause === undefined ? undefined : await tx.get(causes, options.cause);
      if (known) {
        if (options.file) forgetFile(tx, options.file);
        return known.localId;
      }
      const { position, reqSeq } = await nextNumbers(tx, this.#deps.client.nextReqSeq());
      const key = positionKey(content.to, position);
      const row: Outgoing = {
        localId: localIdOf(key),
        position,
        chatMid: content.to,
        content: { createdTime: String(this.#deps.ports.clock.now()), ...content },
        mode: options.mode ?? 'auto',
        reqSeq,
        state: 'queued',
        renewals: 0,
        ...(options.file && { file: options.file }),
        ...(options.copyOf !== undefined && { copyOf: options.copyOf }),
        ...(options.cause !== undefined && { cause: options.cause }),
      };
      tx.put(outgoing, key, row);
      if (options.file) ownFile(tx, options.file);
      if (options.cause !== undefined) tx.put(causes, options.cause, { localId: row.localId });
      options.also?.(tx);
      return row.localId;
    });
    this.wake();
    return localId;
  }

  /**
   * Waits until a queued message is acknowledged. A message with a cause is known until its cause is forgotten.
   * @throws SendFailed if it is refused or cancelled
   */
  async sent(localId: string): Promise<SentMessage> {
    if (!this.#find(localId)) return this.#sentBefore(localId);
    return new Promise((resolve, reject) => {
      this.#waiting.set(localId, [...(this.#waiting.get(localId) ?? []), { resolve, reject }]);
    });
  }

  /** Forgets a cause. A second message with this cause is queued again. */
  async forget(cause: string): Promise<void> {
    await this.#deps.state.change(async (tx) => tx.delete(causes, cause));
  }

  /**
   * Takes a message back. One that was not tried leaves the outbox; one whose outcome is open is unsent when its id is
   * known. Returns false if it is not in the outbox any more.
   */
  async cancel(localId: string): Promise<boolean> {
    const found = await this.#deps.state.change(async (tx) => {
      const row = this.#find(localId);
      if (!row) return false;
      if (row.state === 'sending' && row.firstAttempt) tx.put(outgoing, keyOf(row), { ...row, takenBack: true });
      else remove(tx, row);
      return true;
    });
    this.#uploads.get(localId)?.abort();
    return found;
  }

  /**
   * Queues a failed message again, behind the others of its chat. Returns false if it is not there or did not fail.
   * @param mode how to send it from now on; without it, as before
   */
  async retry(localId: string, mode?: SendMode): Promise<boolean> {
    const found = await this.#deps.state.change(async (tx) => {
      const row = this.#find(localId);
      if (row?.state !== 'failed') return false;
      const { reqSeq } = await nextNumbers(tx, this.#deps.client.nextReqSeq());
      const { failure: _failure, prepared: _prepared, firstAttempt: _first, ...rest } = row;
      tx.put(outgoing, keyOf(row), { ...rest, mode: mode ?? row.mode, reqSeq, state: 'queued', renewals: 0 });
      return true;
    });
    this.wake();
    return found;
  }

  /**
   * Calls the listener when a part of a file was uploaded. Returns the function that removes the listener. Progress is
   * not stored: after a restart, the first call tells how much the server already has.
   */
  onProgress(listener: (progress: UploadProgress) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins to send what waits. Called when something is queued, and when the connection or the session is back. */
  wake(): void {
    this.#woken.abort();
    this.#woken = new AbortController();
    for (const chatMid of new Set(this.all().map((row) => row.chatMid))) {
      if (this.#lanes.has(chatMid)) continue;
      // If the store fails, the message stays as it was stored last, and the next wake tries again.
      const lane = Promise.resolve().then(() => this.#run(chatMid));
      this.#lanes.set(
        chatMid,
        lane.catch(() => undefined),
      );
    }
    void this.#takeBack();
  }

  /** Recognizes own messages in the operation log: what came back was sent, whatever became of the answer. */
  async observe(tx: Tx, operation: OpenedOperation): Promise<void> {
    const row = echoed(this.all(), operation);
    if (!row || !operation.message) return;
    await this.#settle(tx, row, operation.message);
  }

  /** Waits until the lanes have stopped. The signal must have been aborted before. */
  async closed(): Promise<void> {
    await Promise.all(this.#lanes.values());
  }

  async #sentBefore(localId: string): Promise<SentMessage> {
    const found = (await this.#deps.state.list(causes)).find(([, caused]) => caused.localId === localId);
    if (found?.[1].sent) return found[1].sent;
    throw new SendFailed(localId, gone);
  }

  #find(localId: string): Outgoing | undefined {
    return this.all().find((row) => row.localId === localId);
  }

  #next(chatMid: string): Outgoing | undefined {
    return this.all().find((row) => row.chatMid === chatMid && row.state !== 'failed');
  }

  async #run(chatMid: string): Promise<void> {
    const { signal, client } = this.#deps;
    try {
      for (let failures = 0; !signal.aborted && client.session; ) {
        const row = this.#next(chatMid);
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
    const { client, sealing, ports, state, newestIn } = this.#deps;
    const update = (change: Partial<Outgoing>) => state.change((tx) => updated(tx, row, change));
    const result =
      row.file || row.copyOf !== undefined
        ? await this.#tryWithObject(row)
        : await attempt({ client, sealing, clock: ports.clock, update, newestId: newestIn(row.chatMid) }, row);
    switch (result.kind) {
      case 'sent':
        if (result.message) await this.#store(row, result.message);
        else await this.#settleByLog(row, { arrived: true });
        return result;
      case 'settle':
        await this.#settleByLog(row);
        return result;
      case 'failed':
        if (result.odd && this.#isWorthAnother(row)) return { kind: 'again' };
        await update({ state: 'failed', failure: result.failure });
        return result;
      default:
        return result;
    }
  }

  /** Counts the odd errors of a message. Returns whether it is worth another attempt. */
  #isWorthAnother({ localId }: Outgoing): boolean {
    const count = (this.#odd.get(localId) ?? 0) + 1;
    if (count < ODD_ERRORS) this.#odd.set(localId, count);
    else this.#odd.delete(localId);
    return count < ODD_ERRORS;
  }

  async #tryWithObject(row: Outgoing): Promise<AttemptResult> {
    const upload = new AbortController();
    this.#uploads.set(row.localId, upload);
    try {
      const signal = AbortSignal.any([this.#deps.signal, upload.signal]);
      const onProgress = (progress: Progress): void => {
        for (const listener of this.#listeners) listener({ localId: row.localId, ...progress });
      };
      return { kind: 'sent', message: await this.#deps.sendWithObject(row, { signal, onProgress }) };
    } catch (error) {
      if (upload.signal.aborted) return { kind: 'gone' };
      const outcome = outcomeOf(error, true);
      if (outcome.kind !== 'refused') return { kind: outcome.kind === 'later' ? 'held' : 'again' };
      return (await this.#sealedInstead(row, error)) ?? { kind: 'failed', failure: outcome.failure, odd: outcome.odd };
    } finally {
      this.#uploads.delete(row.localId);
    }
  }

  /** A file that went in the clear is tried again if its chat wants sealed ones by now. */
  async #sealedInstead(row: Outgoing, error: unknown): Promise<AttemptResult | undefined> {
    const { sealing, state } = this.#deps;
    if (!(error instanceof GatewayError) || row.renewals >= RENEWALS) return undefined;
    try {
      const prepared = { outgoing: plainOf(row.content), sealed: false };
      if (!sealing.learn({ message: row.content, prepared, mode: row.mode }, error)) return undefined;
    } catch (better) {
      return { kind: 'failed', failure: failureOf(better) };
    }
    const renewed = await state.change((tx) => updated(tx, row, { renewals: row.renewals + 1 }));
    return renewed ? { kind: 'again', waitMs: 0 } : { kind: 'gone' };
  }

  async #store(row: Outgoing, message: Message): Promise<void> {
    const opened = await this.#deps.sealing.open(message);
    await this.#deps.state.change((tx) => this.#settle(tx, row, opened));
  }

  /**
   * Finds out whether a message arrived, when its reqSeq no longer tells. For that the operation log is read to its end,
   * and then the history of the chat. If the message did not arrive, it is queued with a new reqSeq.
   * @param known `arrived` if it certainly did, so that only its id is missing
   */
  async #settleByLog(row: Outgoing, { arrived = false } = {}): Promise<void> {
    const { client, state, ports, caughtUp, limits } = this.#deps;
    const since = ports.clock.now() - (row.firstAttempt?.time ?? 0);
    if (!arrived) await this.#pauseFully(LONGEST_REQUEST_MS - since);
    try {
      await caughtUp();
      if (!this.#find(row.localId)) return;
      const message = await findArrived(client, row, (await limits()).syncMessages);
      if (message) return await this.#store(row, message);
      await state.change(async (tx) => {
        // It arrived, and is gone: unsent by another device, or removed with the history.
        if (arrived) return remove(tx, row);
        const { reqSeq } = await nextNumbers(tx, client.nextReqSeq());
        await updated(tx, row, { reqSeq, prepared: undefined, firstAttempt: undefined, state: 'queued' });
      });
    } catch (error) {
      if (this.#deps.signal.aborted) return;
      if (outcomeOf(error, true).kind === 'refused') throw error;
      await this.#pause(backoffDelay(BACKOFF, 1, ports.random));
    }
  }

  async #pauseFully(ms: number): Promise<void> {
    const { ports, signal } = this.#deps;
    if (ms > 0) await pause(ports.timers, ms, signal);
  }

  /** Takes a message out of the outbox, and puts it into the replica. */
  async #settle(tx: Tx, row: Outgoing, message: OpenedMessage): Promise<void> {
    const now = await tx.get(outgoing, keyOf(row));
    if (!now) return;
    remove(tx, now);
    await this.#deps.addSent(tx, message, row.localId);
    if (now.takenBack) {
      const { reqSeq } = await nextNumbers(tx, this.#deps.client.nextReqSeq());
      tx.put(takenBack, message.id, { reqSeq });
    }
    const how = now.prepared ?? { sealed: message.sealing.state !== 'plain' };
    const sent = sentMessage(row.content, how, message);
    this.#results.set(row.localId, sent);
    if (now.cause !== undefined && (await tx.get(causes, now.cause))) {
      tx.put(causes, now.cause, { localId: now.localId, sent });
    }
  }

  #committed(changes: readonly Change[]): void {
    for (const { table, id, record } of changes) {
      if (table !== outgoing.name) continue;
      const localId = localIdOf(id);
      const row = record as Outgoing | undefined;
      const result = this.#results.get(localId);
      if (row && row.state !== 'failed') continue;
      this.#results.delete(localId);
      this.#odd.delete(localId);
      const waiting = this.#waiting.get(localId) ?? [];
      this.#waiting.delete(localId);
      for (const { resolve, reject } of waiting) {
        if (result) resolve(result);
        else reject(new SendFailed(localId, row?.failure ?? gone));
      }
      if (result && this.#deps.state.all(takenBack).size > 0) void this.#takeBack();
    }
  }

  async #takeBack(): Promise<void> {
    const { state, client, signal } = this.#deps;
    if (this.#takingBack) return;
    this.#takingBack = true;
    try {
      for (const [id, { reqSeq }] of state.all(takenBack)) {
        if (signal.aborted || !client.session) return;
        try {
          await client.TalkService.unsendMessage(reqSeq, id);
        } catch (error) {
          if (outcomeOf(error, false).kind !== 'refused') return;
        }
        await state.change(async (tx) => tx.delete(takenBack, id));
      }
    } finally {
      this.#takingBack = false;
    }
  }
}

const gone = { reason: 'cancelled', text: 'the message was taken out of the outbox' };

const keyOf = ({ chatMid, position }: Outgoing): string => positionKey(chatMid, position);

function remove(tx: Tx, row: Outgoing): void {
  tx.delete(outgoing, keyOf(row));
  if (row.file) forgetFile(tx, row.file);
}

/** Changes a message of the outbox. Fields that the change has as undefined are removed. */
async function updated(tx: Tx, row: Outgoing, change: Partial<Outgoing>): Promise<Outgoing | undefined> {
  const now = await tx.get(outgoing, keyOf(row));
  if (!now) return undefined;
  const next = { ...now, ...change };
  tx.put(outgoing, keyOf(row), next);
  return next;
}
