// What media need of Letter Sealing; a sealing client has it.
import type { Message, OutgoingMessage } from '@sealpost/contract';
import type { SealedPayloads } from '@sealpost/crypto';
import type { SendMode } from '../sealing/send-mode.ts';

export type MediaPayload = SealedPayloads[1];

export interface MediaSealing {
  /** Whether a message goes sealed. @throws SealingError if it must not go in this mode */
  formFor(message: Pick<OutgoingMessage, 'to' | 'contentType'>, mode: SendMode): Promise<{ readonly sealed: boolean }>;
  send(
    message: Omit<OutgoingMessage, 'chunks'> & { readonly media: MediaPayload },
    mode: 'sealed',
  ): Promise<{ readonly message: Message }>;
  /** Never throws: what stays closed says why. */
  open(message: Message): Promise<Message & { readonly media?: MediaPayload; readonly sealing: SealingState }>;
}

type SealingState =
  | { readonly state: 'plain' | 'opened' | 'unproven' }
  | { readonly state: 'unopened'; readonly cause: string; readonly remedy: string };
