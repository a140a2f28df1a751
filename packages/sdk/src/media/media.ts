// The methods for the media of messages.
import type { Message, ObjectInfo, PlaybackInfo } from '@sealpost/contract';
import { type CopyMediaOptions, type CopySource, copyMedia } from './copy-media.ts';
import type { MediaDeps } from './media-deps.ts';
import { addressOf } from './object-place.ts';
import { type OpenedMedia, openMedia } from './open-media.ts';
import type { OutgoingMedia } from './outgoing.ts';
import type { PatienceOptions } from './patience.ts';
import { readPreview } from './read-preview.ts';
import { type SendMediaOptions, sendMedia, type TransferOptions } from './send-media.ts';
import { readInfo, readPlayback } from './stored-object.ts';
import { type WithdrawOptions, withdrawMedia } from './withdraw-media.ts';

export interface Media {
  /**
   * Sends an image, video, sound or file of any size, sealed if the chat is sealed. Continues by itself after lost
   * connections. If object storage refuses the object for good, unsends the message.
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
   * Returns the preview of an image or video; undefined if there is none, or if the server has not made it yet.
   *
   * @throws MediaError `no-object`, `sealed`, `changed`; GatewayError, NetworkError
   */
  preview(message: Message, options?: PatienceOptions): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Forwards the media of an unsealed message, without sealing them. Object storage copies the object. Continues by
   * itself after lost connections. If the object cannot be copied, unsends the new message.
   *
   * @throws GatewayError, NetworkError; the reason of the signal
   */
  copy(to: string, message: CopySource, options?: CopyMediaOptions): Promise<Message>;
  /**
   * Takes back an unfinished `send` or `copy` with this `resumeKey`, after its signal has aborted it. Unsends the
   * message if its object is not complete.
   *
   * @throws GatewayError, NetworkError; the reason of the signal
   */
  withdraw(to: string, resumeKey: string, options?: WithdrawOptions): Promise<void>;
  /**
   * Returns what object storage knows about the object of a message: its state, type and size. The object of a sealed
   * message has the size of the sealed bytes.
   *
   * @throws MediaError `no-object`; GatewayError, NetworkError
   */
  info(message: Message, options?: Pick<PatienceOptions, 'signal'>): Promise<ObjectInfo>;
  /**
   * Returns the address at which a video can be played. For a sealed message, the video at that address is encrypted.
   *
   * @throws MediaError `no-object`; GatewayError, NetworkError
   */
  playback(message: Message, options?: Pick<PatienceOptions, 'signal'>): Promise<PlaybackInfo>;
}

const MODEL = 'sealpost-sdk';

export const mediaOn = (deps: MediaDeps): Media => ({
  send: (to, media, options = {}) => sendMedia(deps, to, media, options),
  open: (message, options = {}) => openMedia(deps, message, options),
  preview: (message, options = {}) => readPreview(deps, message, options),
  copy: (to, message, options = {}) => copyMedia(deps, to, message, options),
  withdraw: (to, resumeKey, options = {}) => withdrawMedia(deps, to, resumeKey, options),
  async info(message, { signal } = {}) {
    const { path, headers } = addressOf(message);
    return readInfo(deps.storage, path, { what: 'the look at an object', headers, signal });
  },
  async playback(message, { signal } = {}) {
    const { path, headers } = addressOf(message);
    const [lang = ''] = deps.locale.split('_');
    const query = { modelName: MODEL, networkType: 'WiFi', lang };
    return readPlayback(deps.storage, path, query, { what: 'the address of a video', headers, signal });
  },
});
