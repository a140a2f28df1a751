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
   * Sends an image, video, sound or file of any size, sealed if the chat is sealed. Continues by itself after lost
   * connections. If object storage refuses the object for good, the message is unsent.
   *
   * A picture is sent without its metadata, and a sealed picture without a preview, unless the options say otherwise.
   *
   * @throws MediaError `source-changed`, `metadata`; SealingError if the message must not be sent in the requested
   * mode; GatewayError, NetworkError; the reason of the signal
   */
  send(to: string, media: OutgoingMedia, options?: SendMediaOptions): Promise<Message>;
  /**
   * Opens the media of a message. Waits some seconds for an upload that is still running.
   *
   * @throws MediaError `not-media`, `no-object`, `not-yet`, `sealed`; GatewayError, NetworkError
   */
  open(message: Message, options?: TransferOptions): Promise<OpenedMedia>;
  /**
   * Returns the preview of an image or video; undefined if there is none, or none yet.
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
