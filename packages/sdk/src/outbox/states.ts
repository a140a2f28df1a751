// The states of a message in the outbox. Each function returns the message as it is after an event; undefined means that
// it leaves the outbox. The caller stores it.
import type { SealableMessage } from '../sealing/content.ts';
import type { PreparedMessage } from '../sealing/send.ts';
import type { SendMode } from '../sealing/send-mode.ts';
import { localIdOf, type Outgoing, type OutgoingFile, positionKey, type SendFailureNote } from './outgoing.ts';

/** What a message is queued with, beside its content. */
export interface QueuedWith {
  readonly mode?: SendMode | undefined;
  /** A name for what caused the message. A second message with the same cause is not queued; it gets the first one's id. */
  readonly cause?: string | undefined;
  readonly file?: OutgoingFile | undefined;
  /** The id of a plain message whose object is copied for this one. */
  readonly copyOf?: string | undefined;
}

/** The message is new. */
export const queued = (
  content: SealableMessage,
  { mode = 'auto', cause, file, copyOf }: QueuedWith,
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
  ...(copyOf !== undefined && { copyOf }),
  ...(cause !== undefined && { cause }),
});

/** An attempt with new bytes begins. They stay the same until a certain refusal. */
export const tried = (
  row: Outgoing,
  prepared: PreparedMessage,
  firstAttempt: NonNullable<Outgoing['firstAttempt']>,
): Outgoing => ({ ...row, prepared, firstAttempt, state: 'sending' });

/** Sending a file or a copy of one begins, or goes on. */
export const begun = (row: Outgoing, firstAttempt: NonNullable<Outgoing['firstAttempt']>): Outgoing =>
  row.firstAttempt ? row : { ...row, firstAttempt };

/** The bytes were refused because of their keys. They did not arrive, so others may take their place. */
export const renewed = (row: Outgoing): Outgoing | undefined =>
  unlessTakenBack({ ...withoutAttempt(row), state: 'queued', renewals: row.renewals + 1 });

/** The log and the history have no trace of the bytes. They go out again, as another request. */
export const lost = (row: Outgoing, reqSeq: number): Outgoing | undefined =>
  unlessTakenBack({ ...withoutAttempt(row), reqSeq, state: 'queued' });

/** The message was refused for good. */
export const failed = (row: Outgoing, failure: SendFailureNote): Outgoing | undefined =>
  unlessTakenBack({ ...row, failure, state: 'failed' });

/** The user wants a failed message to be sent after all. One that has not failed stays as it is. */
export function retried(row: Outgoing, reqSeq: number, mode: SendMode = row.mode): Outgoing {
  if (row.state !== 'failed') return row;
  const { failure: _failure, ...rest } = withoutAttempt(row);
  return { ...rest, mode, reqSeq, state: 'queued', renewals: 0 };
}

/** The user takes the message back. It stays while it may have arrived, because then it must be unsent. */
export const withdrawn = (row: Outgoing): Outgoing | undefined =>
  row.state !== 'failed' && row.firstAttempt ? { ...row, takenBack: true } : undefined;

/** A message that certainly did not arrive, and was taken back, has nothing left to wait for. */
const unlessTakenBack = (row: Outgoing): Outgoing | undefined => (row.takenBack ? undefined : row);

function withoutAttempt({ prepared: _prepared, firstAttempt: _first, ...rest }: Outgoing): Outgoing {
  return rest;
}
