// Reads and writes the outbox in the local state: the waiting messages, and the causes of messages that have left it.
import type { SealableMessage } from '../sealing/content.ts';
import type { SentMessage } from '../sealing/send.ts';
import type { LocalState, Tx } from '../store/local-state.ts';
import { forgetFile, ownFile } from './kept-files.ts';
import { nextNumbers } from './numbers.ts';
import { causes, forgetObject, hasObject, type Outgoing, outgoing, positionKey, takenBack } from './outgoing.ts';
import { type QueuedWith, queued } from './states.ts';

export interface QueueOptions extends QueuedWith {
  /** Further changes of the same commit, such as removing the draft. */
  also?(tx: Tx): void;
}

export class OutboxRows {
  readonly #state: LocalState;
  readonly #nextReqSeq: () => number;

  constructor(state: LocalState, nextReqSeq: () => number) {
    this.#state = state;
    this.#nextReqSeq = nextReqSeq;
  }

  /** Returns the messages that wait, in the order in which they were queued. */
  all(): readonly Outgoing[] {
    return [...this.#state.all(outgoing).values()].sort((a, b) => a.position - b.position);
  }

  find(localId: string): Outgoing | undefined {
    return this.all().find((row) => row.localId === localId);
  }

  /** Returns the message of a chat that is sent next. Skips refused messages, and texts that were taken back. */
  next(chatMid: string): Outgoing | undefined {
    return this.all().find((row) => row.chatMid === chatMid && row.state !== 'failed' && !isTakenText(row));
  }

  /** Returns the oldest text that was taken back when it may have arrived. */
  takenText(): Outgoing | undefined {
    return this.all().find(isTakenText);
  }

  /** Stores a new message. Returns its id on this device. */
  insert(content: SealableMessage, options: QueueOptions, now: number): Promise<string> {
    const { cause, file } = options;
    return this.#state.change(async (tx) => {
      const known = cause === undefined ? undefined : await tx.get(causes, cause);
      if (known) {
        if (file) forgetFile(tx, file);
        return known.localId;
      }
      const row = queued(content, options, { ...(await this.#numbers(tx)), now });
      tx.put(outgoing, keyOf(row), row);
      if (file) ownFile(tx, file);
      if (cause !== undefined) tx.put(causes, cause, { localId: row.localId });
      options.also?.(tx);
      return row.localId;
    });
  }

  /** Stores the next state of a message. Returns it; undefined if the message is not in the outbox any more. */
  change(row: Outgoing, next: (now: Outgoing) => Outgoing | undefined): Promise<Outgoing | undefined> {
    return this.#state.change(async (tx) => {
      const now = await tx.get(outgoing, keyOf(row));
      return now && store(tx, now, next(now));
    });
  }

  /** Stores the next state of a message with a new reqSeq, so that the server treats it as a new request. */
  async renumber(row: Outgoing, next: (now: Outgoing, reqSeq: number) => Outgoing | undefined): Promise<void> {
    await this.#state.change(async (tx) => {
      const now = await tx.get(outgoing, keyOf(row));
      if (now) store(tx, now, next(now, (await this.#numbers(tx)).reqSeq));
    });
  }

  async remove(row: Outgoing): Promise<void> {
    await this.#state.change(async (tx) => remove(tx, row));
  }

  /**
   * Takes a message out of the outbox after the server has stored it. If the message was taken back, notes that it must
   * be unsent.
   * @param sentAs returns the message as its sender gets it
   * @returns the message as it was in the outbox; undefined if it had left the outbox before
   */
  async settle(
    tx: Tx,
    row: Outgoing,
    id: string,
    sentAs: (now: Outgoing) => SentMessage,
  ): Promise<Outgoing | undefined> {
    const now = await tx.get(outgoing, keyOf(row));
    if (!now) return undefined;
    remove(tx, now);
    if (now.takenBack) tx.put(takenBack, id, { reqSeq: (await this.#numbers(tx)).reqSeq });
    if (now.cause !== undefined && (await tx.get(causes, now.cause))) {
      tx.put(causes, now.cause, { localId: now.localId, sent: sentAs(now) });
    }
    return now;
  }

  /** Returns a sent message that has left the outbox. Returns undefined if no cause of the message is known. */
  async sentBefore(localId: string): Promise<SentMessage | undefined> {
    return (await this.#state.list(causes)).find(([, caused]) => caused.localId === localId)?.[1].sent;
  }

  async forgetCause(cause: string): Promise<void> {
    await this.#state.change(async (tx) => tx.delete(causes, cause));
  }

  /** Returns the ids of the messages that must be unsent, each with the reqSeq for the unsend call. */
  toUnsend(): ReadonlyMap<string, { readonly reqSeq: number }> {
    return this.#state.all(takenBack);
  }

  async unsent(id: string): Promise<void> {
    await this.#state.change(async (tx) => tx.delete(takenBack, id));
  }

  #numbers(tx: Tx) {
    return nextNumbers(tx, this.#nextReqSeq());
  }
}

/** What was sent of an object is taken back in the lane of its chat, before the next message of the chat. */
const isTakenText = (row: Outgoing): boolean => Boolean(row.takenBack) && !hasObject(row);

const keyOf = ({ chatMid, position }: Outgoing): string => positionKey(chatMid, position);

function store(tx: Tx, now: Outgoing, next: Outgoing | undefined): Outgoing | undefined {
  if (next) tx.put(outgoing, keyOf(now), next);
  else remove(tx, now);
  if (next?.file && !now.file) ownFile(tx, next.file);
  return next;
}

function remove(tx: Tx, row: Outgoing): void {
  tx.delete(outgoing, keyOf(row));
  forgetObject(tx, row);
}
