import { Bot } from './bot.ts';
import type { BotOptions } from './options.ts';

export type { Answer, AnswerContent, AnswerOptions, FileOptions } from './answers.ts';
export type { Bot } from './bot.ts';
export {
  CommandContext,
  type Download,
  EventContext,
  FollowContext,
  GapContext,
  HeardContext,
  InviteContext,
  MemberContext,
  MessageContext,
  PostbackContext,
  ReactionContext,
  ReadContext,
  UnsendContext,
} from './contexts.ts';
export type { BotLogger } from './logger.ts';
export { MessageRefused } from './message-refused.ts';
export type { Middleware, Next } from './middleware.ts';
export type { BotOptions, BotPlace, CatchHandler, RunOptions, StopOptions, TryAgain } from './options.ts';
export type { BotChat, Person } from './people.ts';
export type { BotRecords } from './records.ts';
export type { BotEventName, BotEvents } from './routes.ts';
export type { BotLogin } from './sign-in.ts';

/** Creates a bot. It does nothing until `start` or `run`. */
export const createBot = (options: BotOptions): Bot => new Bot(options);
