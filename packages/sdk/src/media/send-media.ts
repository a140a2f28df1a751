// Sending of media. Plain: the message first, its object after. Sealed: the object first, then the message with its key.
import type { Message } from '@sealpost/contract';
import { GatewayError } from '../gateway/errors.ts';
import { draftOf } from '../messaging/draft.ts';
import type { SendMode } from '../sealing/send-mode.ts';
import { cleanPicture } from './clean-picture.ts';
import type { MediaDeps } from './media-deps.ts';
import { MediaError } from './media-error.ts';
import type { MediaSealing } from './media-sealing.ts';
import { contentTypeOf, mediaMetadata, type OutgoingMedia } from './outgoing.ts';
import { Patience, type PatienceOptions } from './patience.ts';
import { sendSealed } from './send-sealed.ts';
import type { Sending } from './sending.ts';
import { objectPath } from './stored-object.ts';
import { uploadObject } from './upload-object.ts';
import { UploadRecord } from './upload-record.ts';

export interface Progress {
  /** Bytes of the content that have arrived. */
  readonly done: number;
  readonly total: number;
}

export interface TransferOptions extends PatienceOptions {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface SendMediaOptions extends TransferOptions {
  /** As for every message of a sealing client; without one all goes in the clear. */
  readonly mode?: SendMode;
  /**
   * Names what is sent. Sending that was cut short goes on where it was when it is asked for again under the same key,
   * also in a later run if the client has an upload store that outlives the process.
   */
  readonly resumeKey?: string;
  /** Sends a picture with what its camera wrote into it: place, time, device. Else only its pixels, colours and turn. */
  readonly keepMetadata?: boolean | undefined;
  /**
   * Seals the preview too. Existing clients seal it on the key stream of the picture itself, so whoever keeps both
   * objects learns parts of the picture. Without it a sealed picture has no preview.
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
    sealedPreview: options.sealedPreview ?? false,
    record,
    patience,
    onOffset: (offset) => options.onProgress?.({ done: Math.min(offset, total), total }),
    draft: (message) =>
      draftOf(
        { to, contentType: contentTypeOf[media.kind], ...message },
        { reqSeq: deps.nextReqSeq(), own, now: ports.clock.now() },
      ),
    deliver: ({ reqSeq, message }) => patience.until(() => gateway.call('TalkService.sendMessage', reqSeq, message)),
  };
  try {
    const sealing = await sealingFor(deps, sending, options.mode ?? 'auto');
    const message = sealing ? await sendSealed(deps, sealing, sending) : await sendPlain(deps, sending);
    await record.remove();
    return message;
  } catch (error) {
    if (!isFinal(error, patience)) throw error;
    await record.remove();
    // What was begun in an earlier run may have been taken back since, or given up by the server.
    if (record.resumed && error instanceof GatewayError && error.http === 404) {
      return sendMedia(deps, to, given, options);
    }
    throw error;
  }
}

/** A message that was sent in the clear is completed so; else the chat decides. */
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
  const draft = record.state.draft ?? sending.draft({ contentMetadata: { ...mediaMetadata(media), ...named } });
  await record.save({ draft });
  const begun = record.state.messageId !== undefined;
  const messageId = record.state.messageId ?? (await sending.deliver(draft)).id;
  await record.save({ messageId });
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

/** As it is now that its object is there. */
async function readMessage({ gateway }: MediaDeps, id: string): Promise<Message> {
  const [message] = await gateway.call('TalkService.getMessagesByIds', [id]);
  if (!message)
    throw new MediaError('no-object', `The message ${id} is gone: it was taken back while it was being sent.`);
  return message;
}

/** A message whose object will never come is of no use to anybody. */
async function takeBack({ gateway, nextReqSeq }: MediaDeps, messageId: string): Promise<void> {
  await gateway.call('TalkService.unsendMessage', nextReqSeq(), messageId).catch(() => {
    // It may be gone already; the error that led here says more.
  });
}

/**
 * Failures after which the same sending can not go on. Not those of keys: the object is there, and with the keys its
 * message follows.
 */
function isFinal(error: unknown, { signal }: Patience): boolean {
  if (signal?.aborted) return false;
  if (error instanceof MediaError) return true;
  return error instanceof GatewayError && !(error.retry || error.needsRenewal || error.endsSession);
}
