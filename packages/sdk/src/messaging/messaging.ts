// Everything that an account can do with messages. A message that is sent goes through the outbox: it is stored first,
// and sent as soon as that is possible.
import {
  contentTypes,
  type Location,
  type MethodArgs,
  mediaMessageFlows,
  predefinedReactionTypes,
} from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import { toBase64 } from '@sealpost/crypto';
import { loaded } from '../deferred.ts';
import { pagesOf } from '../gateway/pages.ts';
import type { LocalAccount } from '../local-account.ts';
import { contentTypeOf, type MediaKind, type OutgoingMedia } from '../media/outgoing.ts';
import type { SendMediaOptions } from '../media/send-media.ts';
import type { OutgoingFile } from '../outbox/outgoing.ts';
import type { QueueOptions } from '../outbox/rows.ts';
import { drafts, isNewer, type StoredMessage } from '../replica/tables.ts';
import type { RpcClient } from '../rpc-client.ts';
import type { SealableMessage } from '../sealing/content.ts';
import type { SealingClient } from '../sealing/sealing-client.ts';
import type { SentMessage } from '../sealing/send.ts';
import type { SendMode } from '../sealing/send-mode.ts';
import { answerTo } from './draft.ts';
import type { TextEmoji } from './emoji.ts';
import { withMentions } from './mentions.ts';
import type { SearchOptions } from './search.ts';

export interface SendTextOptions {
  /** Selects whether the message is sealed: `auto` follows the rule of the chat, and `plain` never seals. */
  readonly mode?: SendMode | undefined;
  /** The id of the message to which the new message replies. */
  readonly replyTo?: string | undefined;
  /** The mids of the mentioned members. The text must have the name of each as `@name`, in this order. */
  readonly mentions?: readonly string[] | undefined;
  /**
   * Emoji of packs. Where the text has the name of an emoji, the name becomes this emoji. An emoji whose name is not in
   * the text is added at the end.
   */
  readonly emoji?: readonly TextEmoji[] | undefined;
  /** A name for the event that caused the message. A second message with the same cause is not sent. */
  readonly cause?: string | undefined;
}

export type SendOptions = Pick<SendTextOptions, 'mode' | 'replyTo' | 'cause'>;
export type SendFileOptions = SendOptions & Pick<SendMediaOptions, 'keepMetadata' | 'sealedPreview'>;

/** A reaction by name, as in `predefinedReactionTypes`, or an emoji of a pack. */
export type Reaction = keyof typeof predefinedReactionTypes | NonNullable<ReactionType['paidReactionType']>;
type ReactionType = MethodArgs<'TalkService.react'>[0]['reactionType'];

export interface Sticker {
  readonly packageId: string;
  readonly stickerId: string;
  readonly version?: string;
}

export interface MessagingDeps {
  readonly rpc: RpcClient;
  readonly sealing: SealingClient;
  readonly timers: Timers;
  /** Returns the account that is logged in; throws if no account is logged in. */
  account(): LocalAccount;
}

export class Messaging {
  readonly #deps: MessagingDeps;

  constructor(deps: MessagingDeps) {
    this.#deps = deps;
  }

  /**
   * Sends a message, and returns it when the server has stored it. Without a connection, `send` waits, but `queue` does
   * not.
   * @throws SendFailed if the message is refused for good or cancelled
   */
  async send(message: SealableMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.#sent(await this.queue(message, options));
  }

  /**
   * Stores a message in the outbox. The message is sent as soon as possible, even after a restart. Returns the id of the
   * message on this device.
   */
  queue(message: SealableMessage, options: SendOptions = {}): Promise<string> {
    return this.#queue(message, options);
  }

  #queue(
    message: SealableMessage,
    { mode, replyTo, cause }: SendOptions,
    more: Pick<QueueOptions, 'also' | 'source'> = {},
  ): Promise<string> {
    const content = { ...message, ...answerTo(replyTo) };
    return this.#deps.account().outbox.queue(content, { mode, cause, ...more });
  }

  async sendText(to: string, text: string, options: SendTextOptions = {}): Promise<SentMessage> {
    return this.#sent(await this.queueText(to, text, options));
  }

  /** Stores a text in the outbox; see `queue`. Removes the draft of the chat. */
  async queueText(
    to: string,
    text: string,
    { mentions = [], emoji = [], ...options }: SendTextOptions = {},
  ): Promise<string> {
    const { replica } = this.#deps.account();
    const named = mentions.map((mid) => ({ mid, name: replica.nameOf(mid) }));
    const content = withMentions(text, named);
    const shown = emoji.length > 0 ? (await loaded(import('./emoji.ts'))).withEmoji(text, emoji) : undefined;
    const both = shown && { ...shown, contentMetadata: { ...content.contentMetadata, ...shown.contentMetadata } };
    const message = { to, contentType: contentTypes.NONE, ...content, ...both };
    return this.#queue(message, options, { also: (tx) => tx.delete(drafts, to) });
  }

  sendSticker(to: string, sticker: Sticker, options: SendOptions = {}): Promise<SentMessage> {
    return this.send({ to, ...stickerContent(sticker) }, options);
  }

  sendLocation(to: string, location: Location, options: SendOptions = {}): Promise<SentMessage> {
    return this.send({ to, contentType: contentTypes.LOCATION, location }, options);
  }

  /** Sends the card of a contact. */
  sendContact(to: string, mid: string, options: SendOptions = {}): Promise<SentMessage> {
    const displayName = this.#deps.account().replica.nameOf(mid);
    return this.send({ to, contentType: contentTypes.CONTACT, contentMetadata: { mid, displayName } }, options);
  }

  /** Sends a picture, video, sound or file. Copies it into the outbox first, so that a restart does not lose it. */
  async sendFile(to: string, media: OutgoingMedia, options: SendFileOptions = {}): Promise<SentMessage> {
    return this.#sent(await this.queueFile(to, media, options));
  }

  /** Stores a picture, video, sound or file in the outbox; see `queue`. */
  async queueFile(to: string, media: OutgoingMedia, options: SendFileOptions = {}): Promise<string> {
    const account = this.#deps.account();
    const { bytes, preview, ...about } = media;
    const { mode, cause, replyTo, keepMetadata, sealedPreview } = options;
    const file: OutgoingFile = {
      ...about,
      ...(await account.keepFile(bytes)),
      ...(preview && { preview: { ...preview, base64: toBase64(preview.bytes) } }),
      keepMetadata,
      sealedPreview,
    };
    const content = { to, contentType: contentTypeOf[media.kind], ...answerTo(replyTo) };
    return account.outbox.queue(content, { mode, cause, file });
  }

  /**
   * Forwards a message to another chat, and seals it if that chat is sealed. If neither the message nor the other chat
   * is sealed, object storage copies the picture, video, sound or file. Otherwise, this device downloads the content
   * and uploads it again, when the message is the next of the outbox for its chat.
   * @throws SendFailed if the message is refused for good or cancelled, or if its object no longer exists
   */
  async forward(message: StoredMessage, to: string, options: SendOptions = {}): Promise<SentMessage> {
    const { text, location, contentType, contentMetadata } = message;
    if (Object.values<number>(contentTypeOf).includes(contentType)) {
      return this.#sent(await this.#queue({ to, contentType, contentMetadata }, options, { source: message }));
    }
    const { e2eeVersion: _version, ...metadata } = contentMetadata;
    return this.send(
      {
        to,
        contentType,
        contentMetadata: metadata,
        ...(text !== undefined && { text }),
        ...(location && { location }),
      },
      options,
    );
  }

  /** Unsends one of the account's messages. In its place, the chat shows that a message was unsent. */
  async unsend(messageId: string): Promise<void> {
    await this.#deps.rpc.TalkService.unsendMessage(this.#deps.rpc.nextReqSeq(), messageId);
  }

  /** Sets the account's reaction to a message; undefined removes it. */
  async react(messageId: string, reaction: Reaction | undefined): Promise<void> {
    const { rpc } = this.#deps;
    const reqSeq = rpc.nextReqSeq();
    if (reaction === undefined) await rpc.TalkService.cancelReaction({ reqSeq, messageId });
    else await rpc.TalkService.react({ reqSeq, messageId, reactionType: reactionTypeOf(reaction) });
  }

  /** Moves the read mark of a chat to the given message, or to the newest one. */
  async markRead(chatMid: string, messageId?: string): Promise<void> {
    const upTo = messageId ?? this.#deps.account().replica.chat(chatMid)?.last?.id;
    if (upTo === undefined) return;
    await this.#deps.rpc.TalkService.sendChatChecked(this.#deps.rpc.nextReqSeq(), chatMid, upTo);
  }

  /** Hides a chat until a newer message comes. */
  hide = (chatMid: string): Promise<void> => this.#setHidden(chatMid, true);
  /** Shows a hidden chat again. */
  show = (chatMid: string): Promise<void> => this.#setHidden(chatMid, false);

  /** Removes the history of a chat up to a message for this account only. If no message is given, removes all of it. */
  async removeHistory(chatMid: string, upTo = '0'): Promise<void> {
    await this.#deps.rpc.TalkService.sendChatRemoved(this.#deps.rpc.nextReqSeq(), chatMid, upTo);
  }

  /**
   * Yields the messages of a chat, newest first, as far back as the server has them. Asks the server for more while the
   * caller iterates.
   */
  async *history(
    chatMid: string,
    { before, pageSize }: { before?: string | undefined; pageSize?: number | undefined } = {},
  ): AsyncGenerator<StoredMessage> {
    const { replica } = this.#deps.account();
    for (let oldest = before; ; ) {
      const page = await replica.messages(chatMid, { before: oldest, limit: pageSize });
      yield* page;
      oldest = page.at(-1)?.id;
      if (oldest === undefined) return;
    }
  }

  /**
   * Yields messages whose text has all words of a query, the newest first. Searches one chat, or all chats one after
   * another. In each chat, the messages on this device are searched before the server is asked for more. An empty query
   * yields nothing, and makes the next search faster.
   * @throws NetworkError if the server must be asked and cannot be reached
   */
  async *search(query: string, { chatMid, ...options }: SearchOptions = {}): AsyncGenerator<StoredMessage> {
    const { replica, state } = this.#deps.account();
    // A chat to which the account is only invited is left out, because the account may not read it.
    const readable = replica.chats().filter(({ invited }) => !invited);
    const chats = chatMid === undefined ? readable.map(({ mid }) => mid) : [chatMid];
    const { search } = await loaded(import('./search.ts'));
    const { timers } = this.#deps;
    yield* search(query, chats, { replica, state, timers, read: (ids) => this.get(ids) }, options);
  }

  /** Returns messages by id, opened; those that the account may not read are left out. */
  async get(messageIds: readonly string[]): Promise<StoredMessage[]> {
    const { rpc, sealing, account } = this.#deps;
    const { syncMessages } = await account().server.limits();
    const found: StoredMessage[] = [];
    for (const page of pagesOf(messageIds, syncMessages)) {
      found.push(...(await sealing.openAll(await rpc.TalkService.getMessagesByIds(page))));
    }
    return found;
  }

  /** Returns how far the members of a chat have read: message ids by mid. */
  async readers(chatMid: string): Promise<Readonly<Record<string, string>>> {
    const [range] = await this.#deps.rpc.TalkService.getMessageReadRange([chatMid]);
    const read: Record<string, string> = { ...(await this.#deps.account().replica.readers(chatMid)) };
    for (const [mid, ranges] of Object.entries(range?.ranges ?? {})) {
      const id = ranges.at(-1)?.endMessageId ?? '0';
      if (isNewer(id, read[mid] ?? '-1')) read[mid] = id;
    }
    return read;
  }

  /** Returns, for each kind of media, whether the chat wants such media sealed. */
  async mediaFlow(chatMid: string): Promise<Readonly<Record<MediaKind, 'sealed' | 'plain'>>> {
    const { flowMap } = await this.#deps.rpc.TalkService.determineMediaMessageFlow({ chatMid });
    const flowOf = (kind: MediaKind) =>
      // A kind of media that the answer does not name is sealed.
      flowMap[contentTypeOf[kind]] === mediaMessageFlows.V1 ? 'plain' : 'sealed';
    return { image: flowOf('image'), video: flowOf('video'), audio: flowOf('audio'), file: flowOf('file') };
  }

  /** Tells an official account that a button of its message was pressed. */
  async postback(message: StoredMessage, url: string): Promise<void> {
    const request = { messageId: message.id, url, chatMID: message.to, originMID: message.from };
    await this.#deps.rpc.TalkService.sendPostback(request);
  }

  #sent(localId: string): Promise<SentMessage> {
    return this.#deps.account().outbox.sent(localId);
  }

  async #setHidden(chatMid: string, hidden: boolean): Promise<void> {
    const reqSeq = this.#deps.rpc.nextReqSeq();
    await this.#deps.rpc.TalkService.setChatHiddenStatus({ reqSeq, chatMid, hidden });
  }
}

/** Returns the content of a message with a sticker. */
export const stickerContent = ({ packageId, stickerId, version = '1' }: Sticker) => ({
  contentType: contentTypes.STICKER,
  contentMetadata: { STKPKGID: packageId, STKID: stickerId, STKVER: version },
});

const reactionTypeOf = (reaction: Reaction): ReactionType =>
  typeof reaction === 'string'
    ? { predefinedReactionType: predefinedReactionTypes[reaction] }
    : { paidReactionType: reaction };
