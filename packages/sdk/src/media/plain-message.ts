// Reads and unsends the messages of media that are not sealed. Such a message is sent before its object.
import type { Message } from '@sealpost/contract';
import { GatewayError } from '../gateway/errors.ts';
import type { MediaDeps } from './media-deps.ts';
import { MediaError } from './media-error.ts';
import type { Patience } from './patience.ts';

/** Reads the message again, because the server filled in more of its fields when the object arrived. */
export async function readMessage({ gateway }: MediaDeps, id: string): Promise<Message> {
  const [message] = await gateway.call('TalkService.getMessagesByIds', [id]);
  if (!message)
    throw new MediaError('no-object', `The message ${id} is gone: it was taken back while it was being sent.`);
  return message;
}

/** Unsends a message whose object will never arrive. */
export async function takeBack({ gateway, nextReqSeq }: MediaDeps, messageId: string): Promise<void> {
  await gateway.call('TalkService.unsendMessage', nextReqSeq(), messageId).catch(() => {
    // The message may not exist any more. This error is ignored, because the error of the upload tells the caller more.
  });
}

/**
 * Returns whether sending cannot continue after this failure. A failure because of missing keys is not final. The
 * object is stored, and its message can be sent as soon as the keys are there. An answer that did not come from the
 * gateway is not final either, because the message may have arrived.
 */
export function isFinal(error: unknown, { signal }: Patience): boolean {
  if (signal?.aborted) return false;
  if (error instanceof MediaError) return true;
  if (!(error instanceof GatewayError) || error.http < 400) return false;
  return !(error.retry || error.needsRenewal || error.endsSession);
}
