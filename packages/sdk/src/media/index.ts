// Media of messages: sending and reading, plain and sealed.
import type { Message } from '@sealpost/contract';
import type { MediaDeps } from './media-deps.ts';
import { type OpenedMedia, openMedia } from './open-media.ts';
import type { OutgoingMedia } from './outgoing.ts';
import type { PatienceOptions } from './patience.ts';
import { readPreview } from './read-preview.ts';
import { type SendMediaOptions, sendMedia, type TransferOptions } from './send-media.ts';

export interface Media {
  /**
   * Sends an image, video, sound or file of any size; sealed where the chat is. Goes on after cuts by itself. A message
   * whose object is refused for good is taken back.
   *
   * A picture goes without its metadata, and sealed without a preview, unless the options say else.
   *
   * @throws MediaError `source-changed`, `metadata`; SealingError if it must not go as it was asked for; GatewayError, NetworkError; the reason of the signal
   */
  send(to: string, media: OutgoingMedia, options?: SendMediaOptions): Promise<Message>;
  /**
   * The media of a message. Waits some seconds for an upload that is under way.
   *
   * @throws MediaError `not-media`, `no-object`, `not-yet`, `sealed`; GatewayError, NetworkError
   */
  open(message: Message, options?: TransferOptions): Promise<OpenedMedia>;
  /**
   * The small picture beside an image or video; undefined if there is none, or none yet.
   *
   * @throws MediaError `no-object`, `sealed`, `changed`; GatewayError, NetworkError
   */
  preview(message: Message, options?: PatienceOptions): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export const createMedia = (deps: MediaDeps): Media => ({
  send: (to, media, options = {}) => sendMedia(deps, to, media, options),
  open: (message, options = {}) => openMedia(deps, message, options),
  preview: (message, options = {}) => readPreview(deps, message, options),
});
