// Runs the handlers of one event, and reports those that fail.
import { Answers, type AnswersDeps } from './answers.ts';
import { causesOf, keysOf } from './causes.ts';
import { contextOf } from './context-of.ts';
import { type EventContext, type EventDeps, GapContext, InviteContext, MessageContext } from './contexts.ts';
import { eventOrGap } from './event.ts';
import type { Handlers } from './handlers.ts';
import type { Inbox, InboxRow } from './inbox.ts';
import { acceptIfAllowed, acceptWaiting } from './invitations.ts';
import type { BotLogger } from './logger.ts';
import type { People } from './people.ts';

/** The events that can bring invitations. */
export const invitationEvents: ReadonlySet<string> = new Set(['invite', 'gap']);

export interface EventRunnerDeps extends AnswersDeps {
  readonly acceptsInvitations: boolean;
  /** Receives the error of an event that is not tried again, and the event if it can be read. */
  readonly caught: (error: unknown, context: EventContext | undefined) => Promise<void>;
  readonly handlers: Handlers;
  readonly inbox: Inbox;
  readonly logger: BotLogger;
  readonly people: People;
  /** A signal that is aborted when the bot stops and waits no longer. */
  readonly signal: AbortSignal;
}

export class EventRunner {
  readonly #deps: EventRunnerDeps;

  constructor(deps: EventRunnerDeps) {
    this.#deps = deps;
  }

  /** Accepts the invitations that came while the bot was not there. If that fails, the next start does it. */
  async prepare(): Promise<void> {
    const { acceptsInvitations, client, logger } = this.#deps;
    if (!acceptsInvitations) return;
    await acceptWaiting(client, logger).catch((error: unknown) =>
      logger.problem('waiting invitations are not accepted before the next start', error),
    );
  }

  /**
   * Runs the handlers.
   * @throws what a handler throws; NotReadable before they run, if the server does not tell now what they need
   */
  async handle(row: InboxRow): Promise<void> {
    const { acceptsInvitations, handlers, inbox, logger } = this.#deps;
    const context = await this.#contextOf(row, '');
    if (context instanceof MessageContext) await inbox.noteSealing(row, context.message.sealing);
    if (acceptsInvitations && !(await this.#accepted(context))) return;
    await handlers.run(context, async () => {
      if (!(context instanceof MessageContext) || !context.unopened) return;
      const { cause, remedy } = context.unopened;
      logger.problem(`message ${context.message.id} stays closed: ${cause}. What helps: ${remedy}`);
    });
  }

  /** Reports that the handlers of an event wait until the server tells what they need. */
  waits(row: InboxRow, error: unknown): void {
    this.#deps.logger.problem(`${this.#named(row)} waits for the server`, error);
  }

  /** Reports a failure. After the last one, the event counts as handled. */
  async failed(row: InboxRow, error: unknown, isLastTry: boolean): Promise<void> {
    const next = isLastTry ? 'It is not tried again' : 'It is tried again';
    this.#deps.logger.problem(`handling ${this.#named(row)} failed. ${next}`, error);
    if (!isLastTry) return;
    await this.#deps.caught(error, await this.#contextOf(row, 'caught/').catch(() => undefined));
  }

  /** Accepts the invitations of an event. Returns false if the event is an invitation that cannot be accepted. */
  async #accepted(context: EventContext): Promise<boolean> {
    const { client, logger } = this.#deps;
    if (context instanceof InviteContext) return acceptIfAllowed(client, logger, context.chatMid);
    if (context instanceof GapContext) await acceptWaiting(client, logger);
    return true;
  }

  /** @param scope the part of the keys that tells messages of handlers from those of the handler of failures */
  #contextOf({ operation, gap }: InboxRow, scope: string): Promise<EventContext> {
    const { client, refusals, people, inbox, signal } = this.#deps;
    const answers = new Answers({ client, refusals }, causesOf(`${keysOf(operation.revision)}${scope}`));
    const deps: EventDeps = { client, operation, gap, answers, signal };
    return contextOf(deps, people, inbox.me);
  }

  /** Returns the name of an event for the log. */
  #named(row: InboxRow): string {
    return `${eventOrGap(row, this.#deps.inbox.me).kind} at revision ${row.operation.revision}`;
  }
}
