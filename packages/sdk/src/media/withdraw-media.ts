// Takes back a picture, video, sound or file whose sending was stopped before its end.
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { deliver } from '../messaging/send-message.ts';
import type { MediaDeps } from './media-deps.ts';
import { Patience, type PatienceOptions } from './patience.ts';
import { findSent } from './send-sealed.ts';
import { UploadRecord } from './upload-record.ts';

export async function withdrawMedia(deps: MediaDeps, to: string, resumeKey: string, options: PatienceOptions) {
  const record = await UploadRecord.find(deps.uploads, resumeKey);
  if (!record) return;
  const patience = new Patience(deps.ports, options);
  try {
    const id = await messageOf(deps, to, record, patience);
    if (id !== undefined) {
      const reqSeq = deps.nextReqSeq();
      await patience.until(() => deps.gateway.call('TalkService.unsendMessage', reqSeq, id));
    }
  } catch (error) {
    // If the server refuses the call, the message was never stored or no longer exists.
    const refused = error instanceof GatewayError && !isPassing(error) && !error.needsRenewal && !error.endsSession;
    if (!refused) throw error;
  }
  await record.remove();
}

/** Returns the id of the message that was sent; undefined if no message was sent. */
async function messageOf(
  deps: MediaDeps,
  to: string,
  { state: { draft, messageId, sealed } }: UploadRecord,
  patience: Patience,
): Promise<string | undefined> {
  if (messageId !== undefined) return messageId;
  // A second call with the same reqSeq does not send a second message. Its answer has the id of the first one.
  if (draft) return (await patience.until(() => deliver(deps.gateway, draft))).id;
  return sealed?.oid === undefined ? undefined : (await findSent(deps, { to, patience }, sealed.oid))?.id;
}
