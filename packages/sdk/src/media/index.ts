// Media of messages: sending and reading, plain and sealed.
import type { Message, ObjectInfo, PlaybackInfo } from '@sealpost/contract';
import type { CopyMediaOptions, CopySource } from './copy-media.ts';
import type { MediaDeps } from './media-deps.ts';
import type { OpenedMedia } from './open-media.ts';
import type { OutgoingMedia } from './outgoing.ts';
import type { PatienceOptions } from './patience.ts';
import type { SendMediaOptions, TransferOptions } from './send-media.ts';

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
  /**
   * Sends the plain media of a message on, in the clear. Object storage copies the object. Continues by itself after
   * lost connections. If the object cannot be copied, the new message is unsent.
   *
   * @throws GatewayError, NetworkError; the reason of the signal
   */
  copy(to: string, message: CopySource, options?: CopyMediaOptions): Promise<Message>;
  /**
   * Returns what object storage knows about the object of a message: its state, type and size. The object of a sealed
   * message has the size of the sealed bytes.
   *
   * @throws MediaError `no-object`; GatewayError, NetworkError
   */
  info(message: Message, options?: Pick<PatienceOptions, 'signal'>): Promise<ObjectInfo>;
  /**
   * Returns the address at which a video can be played. What is there of a sealed message is sealed.
   *
   * @throws MediaError `no-object`; GatewayError, NetworkError
   */
  playback(message: Message, options?: Pick<PatienceOptions, 'signal'>): Promise<PlaybackInfo>;
}

/** The code is loaded at the first use, because most programs begin without media. */
export function createMedia(deps: MediaDeps): Media {
  const loaded = async (): Promise<Media> => (await import('./media.ts')).mediaOn(deps);
  return {
    send: async (...args) => (await loaded()).send(...args),
    open: async (...args) => (await loaded()).open(...args),
    preview: async (...args) => (await loaded()).preview(...args),
    copy: async (...args) => (await loaded()).copy(...args),
    info: async (...args) => (await loaded()).info(...args),
    playback: async (...args) => (await loaded()).playback(...args),
  };
}
