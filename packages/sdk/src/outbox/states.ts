// The states of a message in the outbox. Each function returns the message as it is after an event; undefined means
// that the message leaves the outbox. The caller stores the result.
import type { StoredMessage } from '../replica/tables.ts';
import type { SealableMessage } from '../sealing/content.ts';
import type { PreparedMessage } from '../sealing/send.ts';
import type { SendMode } from '../sealing/send-mode.ts';
import { localIdOf, type Outgoing, type OutgoingFile, positionKey, type SendFailureNote } from './outgoing.ts';

/** The options with which a message is queued. */
export interface QueuedWith {
  readonly mode?: SendMode | undefined;
  /**
   * A name for the event that caused the message. A second message with the same cause is not queued, and its caller
   * gets the id of the first one.
   */
  readonly cause?: string | undefined;
  readonly file?: OutgoingFile | undefined;
  /** The message whose picture, video, sound or file this message forwards. */
  readonly source?: StoredMessage | undefined;
}

/** The message is new. */
export const queued = (
  content: SealableMessage,
  { mode = 'auto', cause, file, source }: QueuedWith,
  { position, reqSeq, now }: { readonly position: number; readonly reqSeq: number; readonly now: number },
): Outgoing => ({
  localId: localIdOf(positionKey(content.to, position)),
  position,
  chatMid: content.to,
  content: { createdTime: String(now), ...content },
  mode,
  reqSeq,
  state: 'queued',
  renewals: 0,
  ...(file && { file }),
  ...(source && { copyOf: source.id, source }),
  ...(cause !== undefined && { cause }),
});

/** The first attempt with these bytes begins. The bytes stay the same until the server refuses them for certain. */
export const tried = (
  row: Outgoing,
  prepared: PreparedMessage,
  firstAttempt: NonNullable<Outgoing['firstAttempt']>,
): Outgoing => ({ ...row, prepared, firstAttempt, state: 'sending' });

/** The sending of a file, or of a copy of a file, begins or continues. */
export const begun = (row: Outgoing, firstAttempt: NonNullable<Outgoing['firstAttempt']>): Outgoing =>
  row.firstAttempt ? row : { ...row, firstAttempt };

/** The bytes were refused because of their keys. They did not arrive, so new bytes may replace them. */
export const renewed = (row: Outgoing): Outgoing | undefined =>
  unlessTakenBack({ ...withoutAttempt(row), state: 'queued', renewals: row.renewals + 1 });

/** Neither the log nor the history has the message, so it did not arrive. It is sent once more, as a new request. */
export const lost = (row: Outgoing, reqSeq: number): Outgoing | undefined =>
  unlessTakenBack({ ...withoutAttempt(row), reqSeq, state: 'queued' });

/** The message was refused for good. */
export const failed = (row: Outgoing, failure: SendFailureNote): Outgoing | undefined =>
  unlessTakenBack({ ...row, failure, state: 'failed' });

/** The user wants a failed message to be sent after all. A message that has not failed stays as it is. */
export function retried(row: Outgoing, reqSeq: number, mode: SendMode = row.mode): Outgoing {
  if (row.state !== 'failed') return row;
  const { failure: _failure, ...rest } = withoutAttempt(row);
  return { ...rest, mode, reqSeq, state: 'queued', renewals: 0 };
}

/**
 * The user takes the message back. If the message may have arrived, it stays in the outbox, because it must then be
 * unsent.
 */
export const withdrawn = (row: Outgoing, now: number): Outgoing | undefined =>
  row.state !== 'failed' && row.firstAttempt ? { ...row, takenBack: now } : undefined;

/**
 * Returns the row; undefined if the message was taken back. Only for a message that certainly did not arrive, so that
 * nothing must be unsent.
 */
const unlessTakenBack = (row: Outgoing): Outgoing | undefined => (row.takenBack ? undefined : row);

function withoutAttempt({ prepared: _prepared, firstAttempt: _first, ...rest }: Outgoing): Outgoing {
  return rest;
}
