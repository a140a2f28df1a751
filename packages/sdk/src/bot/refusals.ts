// Takes refused messages out of the outbox of a bot, because nobody looks into it, and reports them. A report is stored
// in the commit that takes the message out, so it is not lost if the bot stops.
import type { Client } from '../client.ts';
import { causes, forgetObject, hasObject, type Outgoing, outgoing, positionKey } from '../outbox/outgoing.ts';
import type { SentMessage } from '../sealing/send.ts';
import { type LocalState, type Tx, table } from '../store/local-state.ts';
import { partsOfCause } from './causes.ts';
import { MessageRefused, type RefusedMessage } from './message-refused.ts';

export interface RefusalDeps {
  readonly client: Client;
  readonly state: LocalState;
  /** Reports a refused message. Called again at the next start if the bot stops before the returned promise resolves. */
  tell(error: MessageRefused): Promise<void>;
}

/** Refused messages that have left the outbox and are not reported yet, by their position in the outbox. */
const reports = table<RefusedMessage>('bot-refused');
const DIGITS = 12;
/** Number of refused messages for which `sent` still knows the reason. */
const KNOWN = 1000;

export class Refusals {
  readonly #deps: RefusalDeps;
  /** The last refused messages, by `localId`. */
  readonly #known = new Map<string, MessageRefused>();
  readonly #telling = new Set<Promise<void>>();
  #taking: Promise<void> = Promise.resolve();

  constructor(deps: RefusalDeps) {
    this.#deps = deps;
  }

  /** Repeats the reports that the last run did not end, and begins to report refused messages. */
  start(): void {
    const { state } = this.#deps;
    this.#inTurn(async () => {
      for (const [id, report] of await state.list(reports)) this.#tell(id, report);
    });
    state.onCommit((changes) => {
      if (changes.some(({ table: name, record }) => name === outgoing.name && record !== undefined)) this.#takeAll();
    });
    this.#takeAll();
  }

  /** Resolves when all present reports have ended. */
  async settled(): Promise<void> {
    await this.#taking;
    await Promise.all(this.#telling);
  }

  /**
   * Waits until the server has a message of the bot.
   * @param cause the cause with which the message was queued
   * @throws MessageRefused if the message is refused; SendFailed if it is cancelled, or not known any more
   */
  async sent(localId: string, cause: string | undefined): Promise<SentMessage> {
    const { client, state } = this.#deps;
    const waits = client.outbox.all().find((row) => row.localId === localId);
    if (waits && waits.state !== 'failed') {
      return client.outbox.sent(localId).catch((error: unknown) => {
        throw this.#find(localId) ?? error;
      });
    }
    const caused = cause === undefined ? undefined : await state.change((tx) => tx.get(causes, cause));
    if (caused?.localId === localId && caused.sent) return caused.sent;
    const refused = this.#find(localId);
    if (refused) throw refused;
    return client.outbox.sent(localId);
  }

  #find(localId: string): MessageRefused | undefined {
    const waits = this.#deps.client.outbox.all().find((row) => row.localId === localId);
    const refused = waits && refusedOf(waits);
    return refused ? new MessageRefused(refused) : this.#known.get(localId);
  }

  #takeAll(): void {
    const { client, state } = this.#deps;
    const failed = client.outbox.all().filter((row) => row.state === 'failed');
    if (failed.length === 0) return;
    this.#inTurn(async () => {
      for (const row of failed) {
        const refused = await state.change((tx) => takeOut(tx, row, (error) => this.#remember(error)));
        if (refused) this.#tell(reportId(row), refused);
      }
    });
  }

  #remember(error: MessageRefused): void {
    this.#known.set(error.localId, error);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= KNOWN) return;
      this.#known.delete(oldest);
    }
  }

  /** Does the work after the earlier work. If the client is closed meanwhile, the next start does the rest. */
  #inTurn(work: () => Promise<void>): void {
    this.#taking = this.#taking.then(work).catch(() => undefined);
  }

  #tell(id: string, refused: RefusedMessage): void {
    const { state, tell } = this.#deps;
    const telling = tell(new MessageRefused(refused))
      .then(() => state.change(async (tx) => tx.delete(reports, id)))
      .catch(() => undefined)
      .finally(() => this.#telling.delete(telling));
    this.#telling.add(telling);
  }
}

const reportId = ({ position }: Outgoing): string => String(position).padStart(DIGITS, '0');

/**
 * Takes a refused message out of the outbox, frees its key and stores the report. Returns undefined if the message is
 * not refused any more.
 * @param remember called before the message leaves the outbox
 */
async function takeOut(
  tx: Tx,
  { chatMid, position }: Outgoing,
  remember: (error: MessageRefused) => void,
): Promise<RefusedMessage | undefined> {
  const key = positionKey(chatMid, position);
  const row = await tx.get(outgoing, key);
  const refused = row && refusedOf(row);
  if (!refused) return undefined;
  tx.delete(outgoing, key);
  forgetObject(tx, row);
  if (row.cause !== undefined && (await tx.get(causes, row.cause))?.localId === row.localId) {
    tx.delete(causes, row.cause);
  }
  tx.put(reports, reportId(row), refused);
  remember(new MessageRefused(refused));
  return refused;
}

/** Returns what is reported of a message; undefined if the message was not refused. */
function refusedOf(row: Outgoing): RefusedMessage | undefined {
  const { localId, chatMid, cause, failure, state } = row;
  if (state !== 'failed' || !failure) return undefined;
  // The outbox gives the message a new time when it is sent again.
  const { to: _to, createdTime: _time, ...content } = row.content;
  return { localId, to: chatMid, ...partsOfCause(cause), ...(!hasObject(row) && { content }), failure };
}
