// A bot: handlers for events of an account. Each event is handled at least once, and what its handlers send goes out
// once, however often the bot ends.
import { type Client, type ClientOptions, createClient } from '../client.ts';
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { type ClientPorts, pause, withSystemPorts } from '../gateway/ports.ts';
import { LoginError } from '../login/login-error.ts';
import type { ClientStore } from '../store/client-store.ts';
import type { LocalState } from '../store/local-state.ts';
import { type Answer, type AnswerContent, type AnswerOptions, Answers, causesOf, keysOf, ownCause } from './answers.ts';
import { contextOf } from './context-of.ts';
import {
  type CommandContext,
  type EventContext,
  type EventDeps,
  type HeardContext,
  InviteContext,
  MessageContext,
} from './contexts.ts';
import { eventOf } from './event.ts';
import { Handlers } from './handlers.ts';
import { Inbox, type InboxRow } from './inbox.ts';
import { type BotLogger, stderrLogger } from './logger.ts';
import type { Middleware } from './middleware.ts';
import { BotRecords } from './records.ts';
import type { BotEventName, BotEvents } from './routes.ts';
import { type BotLogin, signIn } from './sign-in.ts';
import { tellConnection, watch } from './watch.ts';
import { Worker } from './worker.ts';

/** Where a bot keeps everything: a folder, in Node, or a store. One bot at a time may use it. */
export type BotPlace = { readonly dataDir: string } | { readonly store: ClientStore };

interface BotSettings extends Omit<ClientOptions, 'store' | 'parts'> {
  /** What commands begin with; `/` if not given. */
  readonly prefix?: string;
  /** Whether the bot joins every group that it is invited into, before the handlers of `invite` run. */
  readonly acceptInvitations?: boolean;
  /** How many chats are served at the same time; 16 if not given. */
  readonly parallel?: number;
  /** How often an event is handed to handlers that throw; 3 if not given. */
  readonly tries?: number;
  /** Where problems are told; one line each on stderr if not given. */
  readonly logger?: BotLogger;
}

export type BotOptions = BotSettings & BotPlace & BotLogin;

/** Called when an event has failed for the last time, or, without a context, when a message was refused. */
export type CatchHandler = (error: unknown, context: EventContext | undefined) => unknown;

export interface StopOptions {
  /** How long running handlers and waiting messages may take, in milliseconds; 10 s if not given. */
  readonly limitMs?: number;
}

export interface RunOptions extends StopOptions {
  /** The signals that stop the bot; SIGINT and SIGTERM if not given. A second one ends the process at once. */
  readonly signals?: readonly NodeJS.Signals[];
}

const STOP_LIMIT_MS = 10_000;
const PARALLEL = 16;
const TRIES = 3;

export class Bot {
  readonly #options: BotOptions;
  readonly #ports: ClientPorts;
  readonly #logger: BotLogger;
  readonly #handlers: Handlers;
  readonly #inbox: Inbox;
  readonly #closing = new AbortController();
  readonly #ended = Promise.withResolvers<never>();
  #catch: CatchHandler | undefined;
  #client: Client | undefined;
  #state: LocalState | undefined;
  #starting: Promise<void> | undefined;
  #worker: Worker | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: BotOptions) {
    this.#options = options;
    this.#logger = options.logger ?? stderrLogger;
    this.#handlers = new Handlers(options.prefix ?? '/');
    this.#ports = withSystemPorts({
      onListenerError: (error) => this.#logger.problem('a listener failed', error),
      ...options,
    });
    this.#inbox = new Inbox({
      wants: (kind) => this.#handlers.wants(kind) || (kind === 'invite' && options.acceptInvitations === true),
      missed: (count) => this.#logger.problem(`${count} operations are missing: the server has deleted them`),
      opened: (state) => {
        this.#state = state;
      },
    });
    // Only `ended` and `run` wait for the end.
    this.#ended.promise.catch(() => undefined);
  }

  /** The client of the account. Throws before `start`. */
  get client(): Client {
    if (this.#client) return this.#client;
    throw notStarted();
  }

  /** Rejects when the bot cannot go on: its session has ended, or its local state cannot be stored. */
  get ended(): Promise<never> {
    return this.#ended.promise;
  }

  /**
   * Adds a step that gets every event. Steps and handlers run in the order in which they were added; each one decides
   * with `next()` whether those behind it get the event too. Add them before `start`.
   */
  use(step: Middleware<EventContext>): this {
    this.#handlers.use(step);
    return this;
  }

  /** Adds a handler of an event. */
  on<E extends BotEventName>(event: E, handler: Middleware<BotEvents[E]>): this {
    this.#handlers.on(event, handler);
    return this;
  }

  /** Adds a handler of texts that begin with the prefix and a name, such as `/help`. */
  command(name: string, handler: Middleware<CommandContext>): this {
    this.#handlers.command(name, handler);
    return this;
  }

  /** Adds a handler of texts that match an expression, or that are the given text. */
  hears(wanted: RegExp | string, handler: Middleware<HeardContext>): this {
    this.#handlers.hears(wanted, handler);
    return this;
  }

  /** Sets the handler of failures. They are logged without it too. */
  catch(handler: CatchHandler): this {
    this.#catch = handler;
    return this;
  }

  /**
   * Sends outside of an event. With a key, a second message with the same key is not sent, until `forget(key)`.
   * Resolves when the message is stored; see `EventContext.reply`.
   */
  send(to: string, what: AnswerContent, options?: AnswerOptions): Promise<Answer> {
    return new Answers(this.client, ownCause).send(to, what, options);
  }

  /** Forgets a key of `send`. */
  async forget(key: string): Promise<void> {
    await this.client.outbox.forget(ownCause(key, 0) ?? '');
  }

  /** Returns records of the bot's own, kept in the local state of its account. They can be used after `start`. */
  records<T>(name: string): BotRecords<T> {
    return new BotRecords<T>(name, () => {
      if (this.#state) return this.#state;
      throw notStarted();
    });
  }

  /**
   * Continues the login of the store, or logs in. Resolves when the bot follows its account. Messages from before the
   * first start are not handled; those that came while the bot was stopped are.
   * @throws StoreError if another bot uses the store; LoginError, GatewayError or NetworkError from the login
   */
  async start(): Promise<void> {
    if (this.#starting) throw new Error('A bot is started once. Create another one.');
    this.#starting = this.#start();
    await this.#starting;
  }

  /**
   * Takes no new events, waits for running handlers and the outbox as long as the limit allows, and closes. What is not
   * finished is kept for the next start.
   */
  stop({ limitMs = STOP_LIMIT_MS }: StopOptions = {}): Promise<void> {
    this.#stopping ??= this.#stop(limitMs);
    return this.#stopping;
  }

  async #stop(limitMs: number): Promise<void> {
    const worker = this.#worker;
    if (!worker) {
      // A start that is not finished fails now, and closes what it opened.
      this.#closing.abort();
      await this.#starting?.catch(() => undefined);
      return;
    }
    const flushed = new AbortController();
    void flush(worker, this.client).finally(() => flushed.abort());
    await pause(this.#ports.timers, limitMs, flushed.signal);
    this.#closing.abort();
    await this.client.close();
  }

  /**
   * Starts the bot unless that was done, and stops it when the process gets a signal. For Node. Resolves when the bot
   * has stopped.
   * @throws what `start` throws, and what `ended` rejects with
   */
  async run({ signals = ['SIGINT', 'SIGTERM'], ...limit }: RunOptions = {}): Promise<void> {
    const asked = Promise.withResolvers<void>();
    const stop = (): void => asked.resolve();
    for (const signal of signals) process.once(signal, stop);
    try {
      await Promise.race([
        asked.promise,
        (this.#starting ?? this.start()).then(() => Promise.race([asked.promise, this.ended])),
      ]);
    } finally {
      await this.stop(limit);
      for (const signal of signals) process.off(signal, stop);
    }
  }

  async #start(): Promise<void> {
    const { prefix: _prefix, acceptInvitations: _accept, parallel, tries, logger: _logger, ...options } = this.#options;
    const client = createClient({
      ...options,
      ...this.#ports,
      store: await storeOf(this.#options),
      parts: [this.#inbox],
    });
    this.#client = client;
    try {
      tellConnection(client, this.#logger);
      await signIn(client, this.#options, this.#logger, this.#closing.signal);
      watch(client, {
        logger: this.#logger,
        refused: (error) => this.#caught(error, undefined),
        loggedOut: (reason) => this.#end(new LoginError('expired', `the session has ended: ${reason}`)),
      });
      const worker = new Worker({
        inbox: this.#inbox,
        client,
        ports: this.#ports,
        parallel: parallel ?? PARALLEL,
        tries: tries ?? TRIES,
        handle: (row, isLastTry) => this.#handle(row, isLastTry),
        failed: (row, error, isLastTry) => this.#failed(row, error, isLastTry),
        broken: (error) => this.#end(error),
      });
      await worker.start();
      this.#worker = worker;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  async #handle(row: InboxRow, isLastTry: boolean): Promise<void> {
    const context = await contextOf(this.#eventDeps(row, ''), this.#inbox.me, isLastTry);
    if (this.#options.acceptInvitations && context instanceof InviteContext && !(await this.#accept(context))) return;
    await this.#handlers.run(context, async () => {
      if (!(context instanceof MessageContext) || !context.unopened) return;
      const { cause, remedy } = context.unopened;
      this.#logger.problem(`message ${context.message.id} stays closed: ${cause}. What helps: ${remedy}`);
    });
  }

  /** Joins the group. Returns false if the bot may not, for example because the invitation was taken back. */
  async #accept(invite: InviteContext): Promise<boolean> {
    try {
      await invite.accept();
      return true;
    } catch (error) {
      if (!(error instanceof GatewayError) || isPassing(error)) throw error;
      this.#logger.problem(`the invitation into ${invite.chatMid} cannot be accepted`, error);
      return false;
    }
  }

  async #failed(row: InboxRow, error: unknown, isLastTry: boolean): Promise<void> {
    const { kind } = eventOf(row.operation, this.#inbox.me);
    const next = isLastTry ? 'It is not tried again' : 'It is tried again';
    this.#logger.problem(`handling ${kind} at revision ${row.operation.revision} failed. ${next}`, error);
    if (!isLastTry) return;
    const context = contextOf(this.#eventDeps(row, 'caught/'), this.#inbox.me, true);
    await this.#caught(error, await context.catch(() => undefined));
  }

  async #caught(error: unknown, context: EventContext | undefined): Promise<void> {
    try {
      await this.#catch?.(error, context);
    } catch (another) {
      this.#logger.problem('the handler of failures failed', another);
    }
  }

  #eventDeps({ operation }: InboxRow, scope: string): EventDeps {
    const answers = new Answers(this.client, causesOf(`${keysOf(operation.revision)}${scope}`));
    return { client: this.client, operation, answers, signal: this.#closing.signal };
  }

  #end(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#logger.problem('the bot cannot go on', error);
    this.#ended.reject(error);
  }
}

const notStarted = (): Error => new Error('The bot has not been started.');

/** Loads the part for Node only if it is needed. */
async function storeOf(place: BotPlace): Promise<ClientStore> {
  if ('store' in place) return place.store;
  const { folderStore } = await import('../node.ts');
  return folderStore(place.dataDir);
}

/** Waits for the running handlers, and until everything in the outbox is sent or refused. */
async function flush(worker: Worker, { outbox }: Client): Promise<void> {
  await worker.stop();
  const waiting = outbox.all().filter(({ state }) => state !== 'failed');
  await Promise.allSettled(waiting.map(({ localId }) => outbox.sent(localId)));
}
