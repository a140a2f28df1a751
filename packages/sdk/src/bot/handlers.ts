// The handlers of a bot, in the order in which they were added.
import type { CommandContext, EventContext, HeardContext } from './contexts.ts';
import type { BotEvent } from './event.ts';
import { chainOf, type Middleware, type Next } from './middleware.ts';
import { type BotEventName, type BotEvents, commandIn, expressionOf, fits, heardIn } from './routes.ts';

export class Handlers {
  readonly #prefix: string;
  readonly #steps: Middleware<EventContext>[] = [];
  readonly #wanted = new Set<BotEventName>();
  #wantsEvents = false;

  /** @param prefix the text that commands begin with */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  use(step: Middleware<EventContext>): void {
    this.#wantsEvents = true;
    this.#steps.push(step);
  }

  on<E extends BotEventName>(event: E, handler: Middleware<BotEvents[E]>): void {
    this.#route(event, fits[event], handler);
  }

  command(name: string, handler: Middleware<CommandContext>): void {
    this.#route('message', (context) => commandIn(context, this.#prefix, name), handler);
  }

  hears(wanted: RegExp | string, handler: Middleware<HeardContext>): void {
    const expression = expressionOf(wanted);
    this.#route('message', (context) => heardIn(context, expression), handler);
  }

  /** Returns whether any handler wants events of a kind. Steps added with `use` want every kind except `operation`. */
  wants(kind: BotEvent['kind']): boolean {
    if (this.#wanted.has('operation') || (this.#wantsEvents && kind !== 'operation')) return true;
    return [...this.#wanted].some((event) => event === kind || (kind === 'message' && OF_MESSAGES.test(event)));
  }

  /** Runs the handlers. `unhandled` is called if all of them passed the event on. */
  run(context: EventContext, unhandled: Next): Promise<void> {
    return chainOf(this.#steps)(context, unhandled);
  }

  #route<C>(event: BotEventName, fit: (context: EventContext) => C | undefined, handler: Middleware<C>): void {
    this.#wanted.add(event);
    this.#steps.push((context, next) => {
      const fitting = fit(context);
      return fitting === undefined ? next() : handler(fitting, next);
    });
  }
}

const OF_MESSAGES = /^(message:|unopened$)/;
