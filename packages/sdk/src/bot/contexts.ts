// The contexts that handlers get. A context is an event with the methods that suit its kind. The methods know the chat
// of the event.
import { contentTypes, type Location } from '@sealpost/contract';
import type { Client } from '../client.ts';
import type { MediaKind, OutgoingMedia } from '../media/outgoing.ts';
import type { Reaction, Sticker } from '../messaging/messaging.ts';
import type { StoredMessage } from '../replica/tables.ts';
import type { OpenFailure } from '../sealing/reasons.ts';
import type { OpenedOperation } from '../sealing/sealing-client.ts';
import type { Answer, AnswerContent, AnswerOptions, Answers, FileOptions } from './answers.ts';
import type { Gap } from './event.ts';
import { accept } from './invitations.ts';
import { type BotChat, botChatOf, type Person } from './people.ts';
import { Sends } from './sends.ts';

export interface EventDeps {
  readonly client: Client;
  readonly operation: OpenedOperation;
  /** The operations that the bot misses, if that is the event. */
  readonly gap?: Gap | undefined;
  readonly answers: Answers;
  readonly signal: AbortSignal;
}

/** Any event: an operation of the account's log. */
export class EventContext extends Sends {
  readonly client: Client;
  /** The operation that caused the event. */
  readonly operation: OpenedOperation;
  /**
   * The mid of the event's chat. In a one-to-one chat it is the mid of the other user. If the event has no chat, it is
   * the mid of the bot.
   */
  readonly chatMid: string;
  /** A signal that is aborted when the bot stops and does not wait for this handler any longer. */
  readonly signal: AbortSignal;
  /** Sends the messages of handlers, each only once. */
  override readonly answers: Answers;

  constructor({ client, operation, answers, signal }: EventDeps, chatMid: string) {
    super();
    this.client = client;
    this.operation = operation;
    this.chatMid = chatMid;
    this.signal = signal;
    this.answers = answers;
  }

  /**
   * The revision of the operation. It stays the same if the event is handled a second time, so it can be the key of a
   * record.
   */
  get revision(): string {
    return this.operation.revision;
  }

  get chat(): BotChat {
    return botChatOf(this.client, this.chatMid);
  }

  /**
   * Sends a message into the chat of the event. Resolves when the message is stored on this device. The message is sent
   * only once, even if the bot stops now and handles the event a second time later.
   */
  reply(what: AnswerContent, options?: AnswerOptions): Promise<Answer> {
    return this.send(this.chatMid, what, options);
  }

  replySticker(sticker: Sticker, options?: AnswerOptions): Promise<Answer> {
    return this.sendSticker(this.chatMid, sticker, options);
  }

  replyLocation(location: Location, options?: AnswerOptions): Promise<Answer> {
    return this.sendLocation(this.chatMid, location, options);
  }

  replyFile(media: OutgoingMedia, options?: FileOptions): Promise<Answer> {
    return this.sendFile(this.chatMid, media, options);
  }

  /** Moves the bot's read mark of the chat to the given message, or to the newest one. */
  markRead(messageId?: string): Promise<void> {
    return this.client.messaging.markRead(this.chatMid, messageId);
  }
}

/** The maximum number of bytes that `download` reads if `maxBytes` is not given. */
const LARGEST_DOWNLOAD = 64 * 1024 * 1024;

export interface Download {
  readonly kind: MediaKind;
  /** The file name that the sender chose. It may be unsafe as a path. */
  readonly name: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A message from somebody else. */
export class MessageContext extends EventContext {
  readonly message: StoredMessage;
  readonly sender: Person;

  constructor(deps: EventDeps, chatMid: string, message: StoredMessage, sender: Person) {
    super(deps, chatMid);
    this.message = message;
    this.sender = sender;
  }

  /** The text; an empty string if the message has none. */
  get text(): string {
    return this.message.contentType === contentTypes.NONE ? (this.message.text ?? '') : '';
  }

  /** The reason why the message could not be opened, and what helps; undefined if it was opened. */
  get unopened(): { readonly reason: OpenFailure; readonly cause: string; readonly remedy: string } | undefined {
    const { sealing } = this.message;
    return sealing.state === 'unopened' ? sealing : undefined;
  }

  /** Sends a reply that quotes this message. */
  quote(what: AnswerContent, options?: Omit<AnswerOptions, 'replyTo'>): Promise<Answer> {
    return this.reply(what, { ...options, replyTo: this.message.id });
  }

  /** Sets the bot's reaction to the message; undefined removes it. */
  async react(reaction: Reaction | undefined): Promise<void> {
    await this.client.messaging.react(this.message.id, reaction);
  }

  /**
   * Reads the picture, video, sound or file of the message, and verifies that nobody changed it.
   * @throws MediaError if there is none, or it was changed; RangeError if it has more than `maxBytes`
   */
  async download({ maxBytes = LARGEST_DOWNLOAD }: { readonly maxBytes?: number } = {}): Promise<Download> {
    const media = await this.client.media.open(this.message, { signal: this.signal });
    if (media.size > maxBytes)
      throw new RangeError(`the file has ${media.size} bytes, and at most ${maxBytes} are read`);
    const bytes = new Uint8Array(media.size);
    let at = 0;
    for await (const part of media.bytes()) {
      bytes.set(part, at);
      at += part.length;
    }
    return { kind: media.kind, name: media.name, bytes };
  }

  /** Moves the bot's read mark to this message, or to another one. */
  override markRead(messageId = this.message.id): Promise<void> {
    return super.markRead(messageId);
  }
}

/** A text that begins with a command. */
export class CommandContext extends MessageContext {
  /** The name of the command, without the prefix. */
  readonly command: string;
  /** The text after the command. */
  readonly rest: string;

  constructor(from: MessageContext, command: string, rest: string) {
    super(from, from.chatMid, from.message, from.sender);
    this.command = command;
    this.rest = rest;
  }

  /** The words after the command. */
  get args(): readonly string[] {
    return this.rest.split(/\s+/).filter(Boolean);
  }
}

/** A text that matches the pattern of a `hears` handler. */
export class HeardContext extends MessageContext {
  readonly match: RegExpExecArray;

  constructor(from: MessageContext, match: RegExpExecArray) {
    super(from, from.chatMid, from.message, from.sender);
    this.match = match;
  }
}

/** Somebody joined or left a chat of the bot. If the bot was removed, `user` is the bot. */
export class MemberContext extends EventContext {
  readonly change: 'join' | 'leave';
  readonly user: Person;

  constructor(deps: EventDeps, chatMid: string, change: 'join' | 'leave', user: Person) {
    super(deps, chatMid);
    this.change = change;
    this.user = user;
  }

  /** The chat after the change, of which the device may not have read the members yet. */
  override get chat(): BotChat {
    const chat = super.chat;
    if (chat.members.length === 0) return chat;
    const others = chat.members.filter((mid) => mid !== this.user.mid);
    return { ...chat, members: this.change === 'join' ? [...others, this.user.mid] : others };
  }
}

/** Somebody invited the bot into a group. */
export class InviteContext extends EventContext {
  readonly inviter: Person;

  constructor(deps: EventDeps, chatMid: string, inviter: Person) {
    super(deps, chatMid);
    this.inviter = inviter;
  }

  /** Joins the group. Does nothing if the bot is a member already. */
  accept(): Promise<void> {
    return accept(this.client, this.chatMid);
  }

  async decline(): Promise<void> {
    await this.client.chats.reject(this.chatMid);
  }
}

/** Somebody read the bot's messages up to the one named by `messageId`. */
export class ReadContext extends EventContext {
  readonly reader: Person;
  readonly messageId: string;

  constructor(deps: EventDeps, chatMid: string, reader: Person, messageId: string) {
    super(deps, chatMid);
    this.reader = reader;
    this.messageId = messageId;
  }
}

/** Somebody reacted to a message, or took the reaction back. */
export class ReactionContext extends EventContext {
  readonly user: Person;
  readonly messageId: string;
  /** The reaction; undefined if it was taken back. */
  readonly reaction: Reaction | undefined;

  constructor(deps: EventDeps, chatMid: string, user: Person, messageId: string, reaction: Reaction | undefined) {
    super(deps, chatMid);
    this.user = user;
    this.messageId = messageId;
    this.reaction = reaction;
  }

  /** Returns the message; undefined if the bot may not read it any more. */
  async message(): Promise<StoredMessage | undefined> {
    return (await this.client.messaging.get([this.messageId]))[0];
  }
}

/** Somebody unsent a message. */
export class UnsendContext extends EventContext {
  readonly messageId: string;

  constructor(deps: EventDeps, chatMid: string, messageId: string) {
    super(deps, chatMid);
    this.messageId = messageId;
  }
}

/** Somebody pressed a button of the bot, which is an official account. */
export class PostbackContext extends EventContext {
  /** The URL of the button, as its author wrote it. It is only data for the bot: nobody fetches it. */
  readonly url: string;
  /** The id of the message with the button; `0` if the client in which the button was pressed did not send the id. */
  readonly messageId: string;

  constructor(deps: EventDeps, chatMid: string, url: string, messageId: string) {
    super(deps, chatMid);
    this.url = url;
    this.messageId = messageId;
  }
}

/** The bot misses operations: it was away for longer than the server keeps them. `operation` says nothing. */
export class GapContext extends EventContext {
  /** The revision of the first operation that no handler gets. */
  readonly first: string;
  /** The revision of the last operation that no handler gets. */
  readonly last: string;

  constructor(deps: EventDeps, chatMid: string, { first, last }: Gap) {
    super(deps, chatMid);
    this.first = first;
    this.last = last;
  }
}

/** Somebody added the bot as a contact. */
export class FollowContext extends EventContext {
  readonly user: Person;

  constructor(deps: EventDeps, chatMid: string, user: Person) {
    super(deps, chatMid);
    this.user = user;
  }
}
