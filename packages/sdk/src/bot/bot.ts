// A bot: handlers for events of an account. Each event is handled at least once, and each message of its handlers is
// sent only once. This holds even if the bot stops at any time.
import { type Client, createClient } from '../client.ts';
import { type ClientPorts, pause, withSystemPorts } from '../gateway/ports.ts';
import { addressOf } from '../gateway/transport.ts';
import { LoginError } from '../login/login-error.ts';
import type { ClientStore } from '../store/client-store.ts';
import type { LocalState } from '../store/local-state.ts';
import { Answers, type AnswersDeps } from './answers.ts';
import { ownCause } from './causes.ts';
import type { CommandContext, EventContext, HeardContext } from './contexts.ts';
import { EventRunner, invitationEvents } from './event-runner.ts';
import { Handlers } from './handlers.ts';
import { Inbox } from './inbox.ts';
import { type BotLogger, stderrLogger } from './logger.ts';
import type { Middleware } from './middleware.ts';
import type { BotOptions, BotPlace, CatchHandler, RunOptions, StopOptions } from './options.ts';
import { createPeople, type People } from './people.ts';
import { BotRecords } from './records.ts';
import { Refusals } from './refusals.ts';
import type { BotEventName, BotEvents } from './routes.ts';
import { Sends } from './sends.ts';
import { signIn } from './sign-in.ts';
import { tellConnection, watch } from './watch.ts';
import { Worker } from './worker.ts';

const STOP_LIMIT_MS = 10_000;
const PARALLEL = 16;
const TRIES = 3;

export class Bot extends Sends {
  readonly #options: BotOptions;
  readonly #ports: ClientPorts;
  readonly #logger: BotLogger;
  readonly #handlers: Handlers;
  readonly #inbox: Inbox;
  readonly #closing = new AbortController();
  readonly #ended = Promise.withResolvers<never>();
  /** Resolves when the bot is told to stop, by a signal or by `stop`. */
  readonly #stopAsked = Promise.withResolvers<void>();
  readonly #people: People;
  #catch: CatchHandler | undefined;
  #client: Client | undefined;
  #state: LocalState | undefined;
  #refusals: Refusals | undefined;
  #starting: Promise<void> | undefined;
  #worker: Worker | undefined;
  #stopping: Promise<void> | undefined;

  /** @throws RangeError if `parallel` or `tries` is less than one; TypeError if `url` is not an address of a server */
  constructor(options: BotOptions) {
    super();
    addressOf(options.url);
    for (const name of ['parallel', 'tries'] as const) {
      const count = options[name] ?? 1;
      if (typeof count === 'number' && !(count >= 1))
        throw new RangeError(`\`${name}\` is ${count}; it must be at least 1`);
    }
    this.#options = options;
    this.#logger = options.logger ?? stderrLogger;
    this.#handlers = new Handlers(options.prefix ?? '/');
    this.#ports = withSystemPorts({
      onListenerError: (error) => this.#logger.problem('a listener failed', error),
      ...options,
    });
    this.#people = createPeople(() => this.client, this.#ports.clock);
    this.#inbox = new Inbox({
      wants: (kind) => this.#handlers.wants(kind) || (invitationEvents.has(kind) && options.acceptInvitations === true),
      missed: ({ first, last }) =>
        this.#logger.problem(`operations ${first} to ${last} are missing: the server has deleted some of them`),
      opened: (state) => this.#opened(state),
    });
    // Without this line, a bot that ends would cause an unhandled rejection if nobody has read `ended`.
    this.#ended.promise.catch(() => undefined);
  }

  /** The client of the account. Throws before `start`. */
  get client(): Client {
    if (this.#client) return this.#client;
    throw notStarted();
  }

  /**
   * A promise that rejects when the bot cannot continue: its session has ended, or its local state cannot be stored.
   */
  get ended(): Promise<never> {
    return this.#ended.promise;
  }

  /**
   * Adds a step that gets every event. Steps and handlers run in the order in which they were added. Each one calls
   * `next()` if the later ones should get the event too.
   * @throws Error after `start`, as all methods that add handlers
   */
  use(step: Middleware<EventContext>): this {
    this.#adding().use(step);
    return this;
  }

  /** Adds a handler of an event. */
  on<E extends BotEventName>(event: E, handler: Middleware<BotEvents[E]>): this {
    this.#adding().on(event, handler);
    return this;
  }

  /** Adds a handler of texts that begin with the prefix and a name, such as `/help`. */
  command(name: string, handler: Middleware<CommandContext>): this {
    this.#adding().command(name, handler);
    return this;
  }

  /** Adds a handler of texts that match a regular expression. A string must match the whole text of a message. */
  hears(wanted: RegExp | string, handler: Middleware<HeardContext>): this {
    this.#adding().hears(wanted, handler);
    return this;
  }

  /**
   * Returns the handlers, to add one. After the start it is too late: events that waited for the bot have no handler then,
   * and are not kept.
   */
  #adding(): Handlers {
    if (this.#starting) throw new Error('The bot has been started. Add all handlers before.');
    return this.#handlers;
  }

  /** Sets the handler of failures. Failures are logged in any case. */
  catch(handler: CatchHandler): this {
    this.#catch = handler;
    return this;
  }

  /** Sends messages that do not belong to an event. A key works until `forget` is called with it. */
  protected override get answers(): Answers {
    return new Answers(this.#answersDeps, ownCause);
  }

  get #answersDeps(): AnswersDeps {
    if (this.#refusals) return { client: this.client, refusals: this.#refusals };
    throw notStarted();
  }

  /** Forgets the key of a message, so that another message can be sent with this key. */
  async forget(key: string): Promise<void> {
    await this.client.outbox.forget(ownCause(key, 0) ?? '');
  }

  /**
   * Returns a place for records that the bot's author defines. They are kept in the local state of the bot's account,
   * and can be used after `start`.
   */
  records<T>(name: string): BotRecords<T> {
    return new BotRecords<T>(name, () => {
      if (this.#state) return this.#state;
      throw notStarted();
    });
  }

  /**
   * Continues the login that the store has, or logs in. Resolves when the bot follows its account. Messages from before
   * the first start are not handled. Messages that came while the bot was stopped are handled.
   * @throws StoreError if another bot uses the store; LoginError, GatewayError or NetworkError from the login
   */
  async start(): Promise<void> {
    if (this.#starting) throw new Error('A bot is started once. Create another one.');
    this.#starting = this.#start();
    await this.#starting;
  }

  /**
   * Takes no new events, waits for running handlers and the outbox as long as the limit allows, and closes the client.
   * Unfinished events and messages are kept for the next start. A handler must not wait for this promise, because the bot
   * waits for the handler.
   */
  stop({ limitMs = STOP_LIMIT_MS }: StopOptions = {}): Promise<void> {
    this.#stopping ??= this.#stop(limitMs);
    this.#stopAsked.resolve();
    return this.#stopping;
  }

  async #stop(limitMs: number): Promise<void> {
    const worker = this.#worker;
    if (!worker) {
      // This makes an unfinished `start` fail and close what it opened.
      this.#closing.abort();
      await this.#starting?.catch(() => undefined);
      return;
    }
    const flushed = new AbortController();
    void flush(worker, this.client, this.#refusals).finally(() => flushed.abort());
    await pause(this.#ports.timers, limitMs, flushed.signal);
    this.#closing.abort();
    await this.client.close();
  }

  /**
   * Starts the bot if `start` was not called, and stops it when the process gets a signal. Works only in Node. Resolves
   * when the bot has stopped, also if `stop` was called.
   * @throws what `start` throws, and what `ended` rejects with
   */
  async run({ signals = ['SIGINT', 'SIGTERM'], ...limit }: RunOptions = {}): Promise<void> {
    if (this.#stopping) return this.#stopping;
    const asked = this.#stopAsked;
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

  #opened(state: LocalState): void {
    this.#state = state;
    this.#refusals = new Refusals({
      client: this.client,
      state,
      tell: async (error) => {
        this.#logger.problem(`a message to ${error.to} was refused`, error);
        await this.#caught(error, undefined);
      },
    });
  }

  async #start(): Promise<void> {
    const { prefix: _p, acceptInvitations, logger: _l, parallel, tries = TRIES, ...options } = this.#options;
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
        loggedOut: (reason) => this.#end(new LoginError('expired', `the session has ended: ${reason}`)),
      });
      this.#refusals?.start();
      const events = new EventRunner({
        ...this.#answersDeps,
        acceptsInvitations: acceptInvitations === true,
        caught: (error, context) => this.#caught(error, context),
        handlers: this.#handlers,
        inbox: this.#inbox,
        logger: this.#logger,
        people: this.#people,
        signal: this.#closing.signal,
      });
      await events.prepare();
      this.#closing.signal.throwIfAborted();
      const worker = new Worker({
        inbox: this.#inbox,
        client,
        ports: this.#ports,
        parallel: parallel ?? PARALLEL,
        mayTryAgain: typeof tries === 'function' ? tries : (_, failures) => failures < tries,
        events,
        broken: (error) => this.#end(error),
      });
      await worker.start();
      this.#closing.signal.throwIfAborted();
      this.#worker = worker;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  async #caught(error: unknown, context: EventContext | undefined): Promise<void> {
    try {
      await this.#catch?.(error, context);
    } catch (another) {
      this.#logger.problem('the handler of failures failed', another);
    }
  }

  #end(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#logger.problem('the bot cannot go on', error);
    this.#ended.reject(error);
  }
}

const notStarted = (): Error => new Error('The bot has not been started.');

/** Returns the store of a bot. The code for folders runs only in Node, so it is loaded only if a folder is given. */
async function storeOf(place: BotPlace): Promise<ClientStore> {
  if ('store' in place) return place.store;
  const { folderStore } = await import('../node.ts');
  return folderStore(place.dataDir);
}

/** Waits for the running handlers, until everything in the outbox is sent or refused, and until that is reported. */
async function flush(worker: Worker, { outbox }: Client, refusals: Refusals | undefined): Promise<void> {
  await worker.stop();
  const waiting = outbox.all().filter(({ state }) => state !== 'failed');
  await Promise.allSettled(waiting.map(({ localId }) => outbox.sent(localId)));
  await refusals?.settled();
}
