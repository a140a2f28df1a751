// The part of Letter Sealing that sending and reading media need. A sealing client implements this interface.
import type { Message, OutgoingMessage } from '@sealpost/contract';
import type { SealedPayloads } from '@sealpost/crypto';
import type { SendMode } from '../sealing/send-mode.ts';

export type MediaPayload = SealedPayloads[1];

export interface MediaSealing {
  /**
   * Returns whether a message would be sealed in this mode.
   * @throws SealingError if the message must not be sent in this mode
   */
  formFor(message: Pick<OutgoingMessage, 'to' | 'contentType'>, mode: SendMode): Promise<{ readonly sealed: boolean }>;
  send(
    message: Omit<OutgoingMessage, 'chunks'> & { readonly media: MediaPayload },
    mode: 'sealed',
  ): Promise<{ readonly message: Message }>;
  /** Opens a message. Never throws: the result says why a message cannot be opened. */
  open(message: Message): Promise<Message & { readonly media?: MediaPayload; readonly sealing: SealingState }>;
}

type SealingState =
  | { readonly state: 'plain' | 'opened' | 'unproven' }
  | { readonly state: 'unopened'; readonly cause: string; readonly remedy: string };
