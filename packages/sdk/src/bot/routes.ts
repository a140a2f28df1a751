// Decides which handlers get an event.
import { contentTypes } from '@sealpost/contract';
import {
  CommandContext,
  type EventContext,
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

/** The events of a bot, each with the type of context that its handlers get. */
export interface BotEvents {
  /** A message of any type that could be opened. */
  readonly message: MessageContext;
  readonly 'message:text': MessageContext;
  readonly 'message:image': MessageContext;
  readonly 'message:video': MessageContext;
  readonly 'message:audio': MessageContext;
  readonly 'message:file': MessageContext;
  readonly 'message:sticker': MessageContext;
  readonly 'message:location': MessageContext;
  readonly 'message:contact': MessageContext;
  /** A sealed message that this device cannot open. */
  readonly unopened: MessageContext;
  readonly join: MemberContext;
  readonly leave: MemberContext;
  readonly invite: InviteContext;
  readonly read: ReadContext;
  readonly reaction: ReactionContext;
  readonly unsend: UnsendContext;
  readonly postback: PostbackContext;
  readonly follow: FollowContext;
  /** Operations are missing that no handler gets. */
  readonly gap: GapContext;
  /** Every operation, including those of all other events and those that the bot itself caused. */
  readonly operation: EventContext;
}

export type BotEventName = keyof BotEvents;

type Fits<C> = (context: EventContext) => C | undefined;

const message: Fits<MessageContext> = (context) =>
  context instanceof MessageContext && !context.unopened ? context : undefined;

const ofType =
  (type: number): Fits<MessageContext> =>
  (context) =>
    message(context)?.message.contentType === type ? message(context) : undefined;

const member =
  (change: MemberContext['change']): Fits<MemberContext> =>
  (context) =>
    context instanceof MemberContext && context.change === change ? context : undefined;

/**
 * One function for each event. It returns the context for the handlers of the event, or undefined if another event
 * happened.
 */
export const fits: { readonly [E in BotEventName]: Fits<BotEvents[E]> } = {
  message,
  'message:text': (context) => (message(context)?.text ? message(context) : undefined),
  'message:image': ofType(contentTypes.IMAGE),
  'message:video': ofType(contentTypes.VIDEO),
  'message:audio': ofType(contentTypes.AUDIO),
  'message:file': ofType(contentTypes.FILE),
  'message:sticker': ofType(contentTypes.STICKER),
  'message:location': ofType(contentTypes.LOCATION),
  'message:contact': ofType(contentTypes.CONTACT),
  unopened: (context) => (context instanceof MessageContext && context.unopened ? context : undefined),
  join: member('join'),
  leave: member('leave'),
  invite: (context) => (context instanceof InviteContext ? context : undefined),
  read: (context) => (context instanceof ReadContext ? context : undefined),
  reaction: (context) => (context instanceof ReactionContext ? context : undefined),
  unsend: (context) => (context instanceof UnsendContext ? context : undefined),
  postback: (context) => (context instanceof PostbackContext ? context : undefined),
  follow: (context) => (context instanceof FollowContext ? context : undefined),
  gap: (context) => (context instanceof GapContext ? context : undefined),
  operation: (context) => (context instanceof GapContext ? undefined : context),
};

/** Returns the context of a command, if the message is this command. Upper and lower case of the name do not matter. */
export function commandIn(context: EventContext, prefix: string, name: string): CommandContext | undefined {
  const asked = message(context);
  if (!asked?.text.startsWith(prefix)) return undefined;
  const [command = ''] = asked.text.slice(prefix.length).split(/\s/, 1);
  if (command.toLowerCase() !== name.toLowerCase()) return undefined;
  return new CommandContext(asked, name, asked.text.slice(prefix.length + command.length).trim());
}

/** Returns the context of a message, if its text matches. */
export function heardIn(context: EventContext, wanted: RegExp): HeardContext | undefined {
  const heard = message(context);
  const match = heard?.text ? wanted.exec(heard.text) : null;
  return heard && match ? new HeardContext(heard, match) : undefined;
}

/**
 * Returns an expression for `heardIn`. A string must match the whole text of a message. The flags `g` and `y` are
 * removed: with them, the expression would start where its last match ended, and so miss messages.
 */
export function expressionOf(wanted: RegExp | string): RegExp {
  if (wanted instanceof RegExp) return new RegExp(wanted.source, wanted.flags.replaceAll(/[gy]/g, ''));
  return new RegExp(`^\\s*${wanted.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}\\s*$`);
}
