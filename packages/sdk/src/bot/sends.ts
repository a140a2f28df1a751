// What sends messages to any chat: a bot outside of events, and the context of an event.
import type { Location } from '@sealpost/contract';
import type { OutgoingMedia } from '../media/outgoing.ts';
import type { Sticker } from '../messaging/messaging.ts';
import type { Answer, AnswerContent, AnswerOptions, Answers, FileOptions } from './answers.ts';

/**
 * Each method resolves when the message is stored on this device. It is sent then, also after a lost connection or a
 * restart. A second message with the same key is not sent.
 */
export abstract class Sends {
  protected abstract readonly answers: Answers;

  /** Sends a text or any message to a user, group or room. */
  send(to: string, what: AnswerContent, options?: AnswerOptions): Promise<Answer> {
    return this.answers.send(to, what, options);
  }

  sendSticker(to: string, sticker: Sticker, options?: AnswerOptions): Promise<Answer> {
    return this.answers.sticker(to, sticker, options);
  }

  sendLocation(to: string, location: Location, options?: AnswerOptions): Promise<Answer> {
    return this.answers.location(to, location, options);
  }

  /** Sends a picture, video, sound or file. Its bytes are copied into the outbox first. */
  sendFile(to: string, media: OutgoingMedia, options?: FileOptions): Promise<Answer> {
    return this.answers.file(to, media, options);
  }
}
