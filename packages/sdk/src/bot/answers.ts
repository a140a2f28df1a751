// Sends the messages of handlers. The outbox stores each message under a key that names the event. If the event is
// handled a second time, messages whose keys the outbox knows are not sent again.
import { contentTypes, type Location } from '@sealpost/contract';
import type { Client } from '../client.ts';
import type { OutgoingMedia } from '../media/outgoing.ts';
import { type SendFileOptions, type SendTextOptions, type Sticker, stickerContent } from '../messaging/messaging.ts';
import type { SealableMessage } from '../sealing/content.ts';
import type { SentMessage } from '../sealing/send.ts';
import type { CauseOf } from './causes.ts';
import type { Refusals } from './refusals.ts';

export interface AnswerOptions extends Omit<SendTextOptions, 'cause'> {
  /**
   * A key for this message, different from those of the event's other messages. Messages without a key are numbered in
   * the order in which they are sent. Give keys if a handler may send other messages when it runs a second time.
   */
  readonly key?: string | undefined;
}

export type FileOptions = Pick<AnswerOptions, 'key'> & Omit<SendFileOptions, 'cause'>;

/** The content to send: a text, or a message without the field `to`. */
export type AnswerContent = string | Omit<SealableMessage, 'to'>;

/** A message that is stored, and is sent as soon as possible. */
export interface Answer {
  /** The id of the message on this device. */
  readonly localId: string;
  /**
   * Waits until the server has the message. With a key that was known, returns the first message with this key, also
   * after a restart.
   * @throws MessageRefused if the message is refused; SendFailed if it is not known any more
   */
  sent(): Promise<SentMessage>;
}

export interface AnswersDeps {
  readonly client: Client;
  readonly refusals: Pick<Refusals, 'sent'>;
}

export class Answers {
  readonly #deps: AnswersDeps;
  readonly #causeOf: CauseOf;
  #count = 0;

  constructor(deps: AnswersDeps, causeOf: CauseOf) {
    this.#deps = deps;
    this.#causeOf = causeOf;
  }

  async send(to: string, what: AnswerContent, options: AnswerOptions = {}): Promise<Answer> {
    const { messaging } = this.#deps.client;
    const { key, mentions, ...rest } = options;
    const cause = this.#next(key);
    if (typeof what === 'string')
      return this.#answer(messaging.queueText(to, what, { ...rest, mentions, cause }), cause);
    return this.#answer(messaging.queue({ ...what, to }, { ...rest, cause }), cause);
  }

  sticker = (to: string, sticker: Sticker, options?: AnswerOptions): Promise<Answer> =>
    this.send(to, stickerContent(sticker), options);

  location = (to: string, location: Location, options?: AnswerOptions): Promise<Answer> =>
    this.send(to, { contentType: contentTypes.LOCATION, location }, options);

  file(to: string, media: OutgoingMedia, { key, ...options }: FileOptions = {}): Promise<Answer> {
    const cause = this.#next(key);
    return this.#answer(this.#deps.client.messaging.queueFile(to, media, { ...options, cause }), cause);
  }

  #next(key: string | undefined): string | undefined {
    return this.#causeOf(key, key === undefined ? this.#count++ : 0);
  }

  async #answer(queued: Promise<string>, cause: string | undefined): Promise<Answer> {
    const localId = await queued;
    return { localId, sent: () => this.#deps.refusals.sent(localId, cause) };
  }
}
