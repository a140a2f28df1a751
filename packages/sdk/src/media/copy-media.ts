// Forwards unsealed media to another chat. Object storage copies the object, so its bytes are not sent over the network
// again.
import type { Message } from '@sealpost/contract';
import { GatewayError } from '../gateway/errors.ts';
import { answerTo, type Draft, draftOf } from '../messaging/draft.ts';
import type { MediaDeps } from './media-deps.ts';
import { Patience, type PatienceOptions } from './patience.ts';
import { isFinal, readMessage, takeBack } from './plain-message.ts';
import { sendOnce } from './send-once.ts';
import { UploadRecord } from './upload-record.ts';

/** An unsealed message with an object. */
export type CopySource = Pick<Message, 'id' | 'contentType' | 'contentMetadata'>;

export interface CopyMediaOptions extends PatienceOptions {
  /** A name for this copy. A later call with the same name continues an unfinished copy. */
  readonly resumeKey?: string;
  /** As in `SendMediaOptions`. */
  readonly after?: string | undefined;
  /** The id of the message to which the new message replies. */
  readonly replyTo?: string | undefined;
}

/** The metadata that describe the object. All other metadata belong to the original message, and are not copied. */
const ABOUT_OBJECT = ['FILE_NAME', 'FILE_SIZE', 'DURATION', 'AUDLEN', 'MEDIA_THUMB_INFO', 'MEDIA_CONTENT_INFO'];

/** Sends a message with a copy of another message's object. Neither message is sealed. */
export async function copyMedia(
  deps: MediaDeps,
  to: string,
  { id, contentType, contentMetadata }: CopySource,
  options: CopyMediaOptions,
): Promise<Message> {
  const { gateway, http, nextReqSeq, ports } = deps;
  const own = gateway.session.current?.mid ?? '';
  const record = await UploadRecord.open(deps.uploads, options.resumeKey, { size: 0, to, from: own });
  const patience = new Patience(ports, options);
  const about = Object.entries(contentMetadata).filter(([name]) => ABOUT_OBJECT.includes(name));
  const message = { to, contentType, contentMetadata: Object.fromEntries(about), ...answerTo(options.replyTo) };
  const make = (): Draft => draftOf(message, { reqSeq: nextReqSeq(), own, now: ports.clock.now() });
  let messageId: string | undefined;
  try {
    messageId = await sendOnce(deps, { record, to, patience, after: options.after }, make);
    const path = { service: 'talk', sid: 'm' } as const;
    const request = {
      srcPath: { ...path, oid: id },
      dstPath: { ...path, oid: messageId },
      toMid: to,
      isOriginal: true,
      reqSeq: nextReqSeq(),
    };
    await patience
      .until(() => http.copyForMessage(request))
      .catch((error) => {
        // This error means that an earlier attempt copied the object, but its answer was lost.
        if (!(error instanceof GatewayError) || error.error !== 'OBJECT_COMPLETE') throw error;
      });
    const copied = messageId;
    const sent = await patience.until(() => readMessage(deps, copied));
    await record.remove();
    return sent;
  } catch (error) {
    if (isFinal(error, patience)) {
      if (messageId !== undefined) await takeBack(deps, messageId);
      await record.remove();
    }
    throw error;
  }
}
