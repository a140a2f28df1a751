// The error that a bot gets for a message that was refused.
import type { SendFailureNote } from '../outbox/outgoing.ts';
import { SendFailed } from '../outbox/send-failed.ts';
import type { SealableMessage } from '../sealing/content.ts';

/** A message of a bot that was refused, as the bot keeps it until the handler of failures has ended. */
export interface RefusedMessage {
  readonly localId: string;
  readonly to: string;
  /** The key with which `bot.send` sent the message. */
  readonly key?: string | undefined;
  /** The revision of the event whose handler sent the message. */
  readonly revision?: string | undefined;
  readonly content?: Omit<SealableMessage, 'to'> | undefined;
  readonly failure: SendFailureNote;
}

/**
 * The error for a message of a bot that was refused. The message has left the outbox, and its key is free: a message
 * with the same key is sent. `outbox.retry` does not know the message any more.
 */
export class MessageRefused extends SendFailed {
  /** The user, group or room that should have got the message. */
  readonly to: string;
  /** The key with which `bot.send` or a similar method sent the message; undefined if it had none. */
  readonly key: string | undefined;
  /** The revision of the event whose handler sent the message; undefined outside of events. */
  readonly revision: string | undefined;
  /** The content, as `bot.send` takes it; undefined for a file, whose bytes are not kept. */
  readonly content: Omit<SealableMessage, 'to'> | undefined;

  constructor({ localId, to, key, revision, content, failure }: RefusedMessage) {
    super(localId, failure);
    this.to = to;
    this.key = key;
    this.revision = revision;
    this.content = content;
  }
}
