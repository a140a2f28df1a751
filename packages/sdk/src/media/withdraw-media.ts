// Takes back a picture, video, sound or file whose sending was stopped before its end.
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { deliver } from '../messaging/send-message.ts';
import type { MediaDeps } from './media-deps.ts';
import { Patience, type PatienceOptions } from './patience.ts';
import { canRepeat, findForgotten, type Sent } from './send-once.ts';
import { findSealed } from './send-sealed.ts';
import { UploadRecord } from './upload-record.ts';

export interface WithdrawOptions extends PatienceOptions {
  /** As in `SendMediaOptions`. */
  readonly after?: string | undefined;
}

export async function withdrawMedia(deps: MediaDeps, to: string, resumeKey: string, options: WithdrawOptions) {
  const record = await UploadRecord.find(deps.uploads, resumeKey);
  if (!record) return;
  const patience = new Patience(deps.ports, options);
  try {
    const id = await messageOf(deps, { to, patience, after: options.after }, record);
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
async function messageOf(deps: MediaDeps, sent: Sent, record: UploadRecord): Promise<string | undefined> {
  const { draft, messageId, sealed } = record.state;
  if (messageId !== undefined) return messageId;
  if (draft && !canRepeat(deps, record)) return findForgotten(deps, sent, record);
  // A second call with the same reqSeq does not send a second message. Its answer has the id of the first one.
  if (draft) return (await sent.patience.until(() => deliver(deps.gateway, draft))).id;
  return (await findSealed(deps, sent, sealed?.oid))?.id;
}
