// What media need of Letter Sealing.
import type { Message, OutgoingMessage } from '@sealpost/contract';
import type { SealedPayloads } from '@sealpost/crypto';

export type MediaPayload = SealedPayloads[1];

export interface MediaSealing {
  /** Whether media for this user, group or room are to be sealed. */
  wants(to: string): Promise<boolean>;
  /** The message with the payload sealed into it. */
  seal(message: OutgoingMessage, payload: MediaPayload): Promise<OutgoingMessage>;
  /** Whether a refused message has to be sealed anew, with newer keys. */
  isOutdated(error: unknown): boolean;
  /** What is sealed in a message. */
  open(message: Message): Promise<MediaPayload>;
}
