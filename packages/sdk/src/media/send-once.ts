// Sends the message of media once, also if the program ends in between and continues in a later run.
import type { Message } from '@sealpost/contract';
import type { Draft } from '../messaging/draft.ts';
import { findNewer } from '../messaging/find-newer.ts';
import { isRepeatable } from '../messaging/repeatable.ts';
import { deliver } from '../messaging/send-message.ts';
import type { HistoryClient } from '../sealing/history-pages.ts';
import type { MediaDeps } from './media-deps.ts';
import type { Sending } from './sending.ts';
import type { UploadRecord } from './upload-record.ts';

/** The place of a message that an earlier run may have sent. */
export type Sent = Pick<Sending, 'to' | 'patience' | 'after'>;

/** Number of messages that are read at once. */
const PAGE = 50;

/**
 * Sends the message of plain media, unless an earlier run has sent it. Returns its id.
 * @param make draws up the message, with a new reqSeq
 */
export async function sendOnce(
  deps: MediaDeps,
  { record, ...sent }: Sent & Pick<Sending, 'record'>,
  make: () => Draft,
): Promise<string> {
  let messageId = record.state.messageId ?? (await findForgotten(deps, sent, record));
  if (messageId === undefined) {
    const draft = (canRepeat(deps, record) && record.state.draft) || make();
    if (draft !== record.state.draft) await record.save({ draft, attempt: attemptNow(deps) });
    messageId = (await sent.patience.until(() => deliver(deps.gateway, draft))).id;
  }
  await record.save({ messageId });
  return messageId;
}

const sessionOf = ({ gateway }: MediaDeps): string => gateway.session.current?.tokens.loginSessionId ?? '';

const attemptNow = (deps: MediaDeps) => ({ session: sessionOf(deps), time: deps.ports.clock.now() });

/** Returns whether the server still recognizes a repeated call of an earlier run. */
export const canRepeat = (deps: MediaDeps, { state: { attempt } }: UploadRecord): boolean =>
  isRepeatable(attempt, attemptNow(deps));

/** Returns the id of the message of an earlier run whose repeated call the server would not recognize. */
export async function findForgotten(deps: MediaDeps, sent: Sent, record: UploadRecord): Promise<string | undefined> {
  const { draft } = record.state;
  if (!draft || canRepeat(deps, record)) return undefined;
  const { contentType, contentMetadata = {} } = draft.message;
  const found = await findSent(
    deps,
    sent,
    (message) =>
      message.contentType === contentType &&
      !message.hasContent &&
      Object.entries(contentMetadata).every(([name, value]) => message.contentMetadata[name] === value),
  );
  return found?.id;
}

/** Finds a message that this account has sent to the chat. */
export async function findSent(
  { gateway }: MediaDeps,
  { to, patience, after }: Sent,
  isWanted: (message: Message) => boolean,
): Promise<Message | undefined> {
  const own = gateway.session.current?.mid;
  const TalkService: HistoryClient['TalkService'] = {
    getRecentMessagesV2: (...args) => patience.until(() => gateway.call('TalkService.getRecentMessagesV2', ...args)),
    getPreviousMessagesV2WithRequest: (...args) =>
      patience.until(() => gateway.call('TalkService.getPreviousMessagesV2WithRequest', ...args)),
  };
  return findNewer({ TalkService }, to, { after, pageSize: PAGE }, (one) => one.from === own && isWanted(one));
}
