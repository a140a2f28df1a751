// The options of a bot.
import type { ClientOptions } from '../client.ts';
import type { ClientStore } from '../store/client-store.ts';
import type { EventContext } from './contexts.ts';
import type { BotLogger } from './logger.ts';
import type { BotLogin } from './sign-in.ts';

/**
 * The place where a bot keeps its login, keys and local state: a folder (only in Node) or a store. Only one bot at a
 * time may use it.
 */
export type BotPlace = { readonly dataDir: string } | { readonly store: ClientStore };

/**
 * Returns whether an event whose handlers have failed is tried again.
 * @param error what the handler threw
 * @param failures the number of times that handlers have failed for this event, this time included
 */
export type TryAgain = (error: unknown, failures: number) => boolean;

interface BotSettings extends Omit<ClientOptions, 'store' | 'parts'> {
  /** The text that commands begin with; `/` if not given. */
  readonly prefix?: string;
  /** True if the bot joins every group that it is invited into, before the handlers of `invite` run. */
  readonly acceptInvitations?: boolean;
  /** Maximum number of chats whose events are handled at the same time; 16 if not given. */
  readonly parallel?: number;
  /**
   * Maximum number of attempts to handle an event; 3 if not given. An attempt fails if a handler throws. Or a function
   * that decides after each failure.
   */
  readonly tries?: number | TryAgain;
  /** Receives problems and notes for the operator; if not given, each is written to stderr. */
  readonly logger?: BotLogger;
}

export type BotOptions = BotSettings & BotPlace & BotLogin;

/**
 * A function that is called when the handlers of an event have failed for the last time. It is also called with a
 * `MessageRefused` when a message was refused, and then gets no context. If the bot stops while it runs for a refused
 * message, it is called again after the next start.
 */
export type CatchHandler = (error: unknown, context: EventContext | undefined) => unknown;

export interface StopOptions {
  /** Milliseconds that the bot waits for running handlers and unsent messages; 10,000 if not given. */
  readonly limitMs?: number;
}

export interface RunOptions extends StopOptions {
  /** The signals that stop the bot; SIGINT and SIGTERM if not given. A second signal ends the process at once. */
  readonly signals?: readonly NodeJS.Signals[];
}
