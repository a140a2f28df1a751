// Sends media. For plain media, the message is sent first, and then its object. For sealed media, the object is sent
// first, and then the message with its key.
import type { Message } from '@sealpost/contract';
import { GatewayError } from '../gateway/errors.ts';
import { answerTo, draftOf } from '../messaging/draft.ts';
import type { SendMode } from '../sealing/send-mode.ts';
import { cleanPicture } from './clean-picture.ts';
import type { MediaDeps } from './media-deps.ts';
import type { MediaSealing } from './media-sealing.ts';
import { contentTypeOf, mediaMetadata, type OutgoingMedia } from './outgoing.ts';
import { Patience, type PatienceOptions } from './patience.ts';
import { isFinal, readMessage, takeBack } from './plain-message.ts';
import { sendOnce } from './send-once.ts';
import { sendSealed } from './send-sealed.ts';
import type { Sending } from './sending.ts';
import { objectPath } from './stored-object.ts';
import { uploadObject } from './upload-object.ts';
import { UploadRecord } from './upload-record.ts';

export interface Progress {
  /** Number of bytes of the content that have arrived. */
  readonly done: number;
  readonly total: number;
}

export interface TransferOptions extends PatienceOptions {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface SendMediaOptions extends TransferOptions {
  /** The mode in which the message is sent. Without a sealing client, all media are sent in the clear. */
  readonly mode?: SendMode;
  /** The id of the message to which the new message replies. */
  readonly replyTo?: string | undefined;
  /**
   * A name for this sending. If sending was interrupted, another call with the same key continues where it stopped. The
   * call may come in a later run if the client's upload store outlives the process.
   */
  readonly resumeKey?: string;
  /**
   * The id of a message that is older than the sent one. A message of an interrupted sending is searched in the history
   * down to there. Without an id, the whole history is searched.
   */
  readonly after?: string | undefined;
  /**
   * True sends a picture with everything that its camera wrote into it: place, time, device. If not set, only pixels,
   * colours and orientation are sent.
   */
  readonly keepMetadata?: boolean | undefined;
  /**
   * True sends a sealed picture with a sealed preview. Existing clients seal the preview with the key stream of the
   * picture itself. So somebody who has both sealed objects can learn parts of the picture. If not set, a sealed
   * picture has no preview.
   */
  readonly sealedPreview?: boolean | undefined;
}

export async function sendMedia(
  deps: MediaDeps,
  to: string,
  given: OutgoingMedia,
  options: SendMediaOptions,
): Promise<Message> {
  const media = options.keepMetadata ? given : await cleanPicture(given);
  const { gateway, ports } = deps;
  const own = gateway.session.current?.mid ?? '';
  const total = media.bytes.size;
  const record = await UploadRecord.open(deps.uploads, options.resumeKey, { size: total, to, from: own });
  const patience = new Patience(ports, options);
  const sending: Sending = {
    to,
    media,
    replyTo: options.replyTo,
    sealedPreview: options.sealedPreview ?? false,
    after: options.after,
    record,
    patience,
    onOffset: (offset) => options.onProgress?.({ done: Math.min(offset, total), total }),
    draft: (message) =>
      draftOf(
        { to, contentType: contentTypeOf[media.kind], ...answerTo(options.replyTo), ...message },
        { reqSeq: deps.nextReqSeq(), own, now: ports.clock.now() },
      ),
  };
  try {
    const sealing = await sealingFor(deps, sending, options.mode ?? 'auto');
    const message = sealing ? await sendSealed(deps, sealing, sending) : await sendPlain(deps, sending);
    await record.remove();
    return message;
  } catch (error) {
    if (!isFinal(error, patience)) throw error;
    await record.remove();
    // The server answers 404 for the object of an earlier run if its message was unsent or dropped. So sending starts
    // from the beginning.
    if (record.resumed && error instanceof GatewayError && error.http === 404) {
      return sendMedia(deps, to, given, options);
    }
    throw error;
  }
}

/**
 * Returns the sealing to use; undefined if the media are sent unsealed. If an earlier run has already sent the message
 * unsealed, the object must be unsealed too. Otherwise, the chat decides.
 */
async function sealingFor(
  { sealing }: MediaDeps,
  { to, media, record }: Sending,
  mode: SendMode,
): Promise<MediaSealing | undefined> {
  if (!sealing || record.state.draft) return undefined;
  const { sealed } = await sealing.formFor({ to, contentType: contentTypeOf[media.kind] }, mode);
  return sealed ? sealing : undefined;
}

async function sendPlain(deps: MediaDeps, sending: Sending): Promise<Message> {
  const { media, record, patience, onOffset } = sending;
  const { kind, name, duration, preview, bytes } = media;
  const named = kind === 'image' || kind === 'file' ? { FILE_NAME: name } : {};
  const begun = record.state.messageId !== undefined;
  const messageId = await sendOnce(deps, sending, () =>
    sending.draft({ contentMetadata: { ...mediaMetadata(media), ...named } }),
  );
  const upload = { ...deps, clock: deps.ports.clock, patience };
  const params = {
    name,
    type: kind,
    ...(kind === 'image' && { cat: 'original' }),
    ...(duration !== undefined && { duration: String(Math.round(duration)) }),
  };
  try {
    const open = () => bytes.stream();
    await uploadObject(upload, {
      path: objectPath('m', messageId),
      params,
      size: bytes.size,
      open,
      resumed: begun,
      onOffset,
    });
    if (preview) {
      await uploadObject(upload, {
        path: objectPath('m', `${messageId}__ud-preview`),
        params: { name, type: 'image' },
        size: preview.bytes.length,
        open: () => [preview.bytes],
        resumed: begun,
      });
    }
  } catch (error) {
    if (isFinal(error, patience)) await takeBack(deps, messageId);
    throw error;
  }
  return patience.until(() => readMessage(deps, messageId));
}
