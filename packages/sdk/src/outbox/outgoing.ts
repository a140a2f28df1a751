// The rows of the outbox: messages that were not acknowledged yet.

import type { OutgoingMedia } from '../media/outgoing.ts';
import type { SealableMessage } from '../sealing/content.ts';
import type { PreparedMessage, SentMessage } from '../sealing/send.ts';
import type { SendMode } from '../sealing/send-mode.ts';
import { type Tx, table } from '../store/local-state.ts';
import { copying, type KeptFile } from './kept-files.ts';

/**
 * The state of an outgoing message. `queued`: not tried yet, or not since the last certain refusal. `sending`: tried, and
 * the outcome is not known. `failed`: the server or this device refused it for good.
 */
export type OutgoingState = 'queued' | 'sending' | 'failed';

export interface SendFailureNote {
  /** The name of the error in the contract's table, or the reason of a SealingError, KeyTrustError or MediaError. */
  readonly reason: string;
  /** What happened and what helps, in words for users. */
  readonly text: string;
}

/** What is known about a file that waits in the outbox, beside its bytes. */
export interface OutgoingFile extends Omit<OutgoingMedia, 'bytes' | 'preview'>, KeptFile {
  readonly preview?: { readonly base64: string; readonly width: number; readonly height: number } | undefined;
  readonly keepMetadata?: boolean | undefined;
  readonly sealedPreview?: boolean | undefined;
}

export interface Outgoing {
  /** The id of the message on this device, for life. The server's id joins it. */
  readonly localId: string;
  /** The place of the message among all that this device ever queued. */
  readonly position: number;
  readonly chatMid: string;
  /** The message as the user wrote it, with its creation time. */
  readonly content: SealableMessage;
  readonly mode: SendMode;
  readonly reqSeq: number;
  readonly state: OutgoingState;
  /** The picture, video, sound or file of the message, which is uploaded first. */
  readonly file?: OutgoingFile | undefined;
  /** The id of a plain message whose object is copied for this one. */
  readonly copyOf?: string | undefined;
  /** The bytes that were sent, stored before the first attempt. They stay the same until a certain refusal. */
  readonly prepared?: PreparedMessage | undefined;
  /**
   * When the first attempt with these bytes began, in epoch milliseconds, and in which session. The message is newer than
   * the one with the id `after`.
   */
  readonly firstAttempt?: { readonly time: number; readonly session: string; readonly after: string } | undefined;
  /** How often the keys were renewed after a refusal. */
  readonly renewals: number;
  readonly failure?: SendFailureNote | undefined;
  /** The user took the message back while the outcome was open. It is unsent as soon as its id is known. */
  readonly takenBack?: true;
  /** What caused the message, for a program that may answer the same event twice. */
  readonly cause?: string;
}

/** The messages that wait, by chat and position. */
export const outgoing = table<Outgoing>('outgoing', { inMemory: true });

export interface Counters {
  /** The last position that was given to a message. Positions order the messages of a chat. */
  readonly position: number;
  /** The last reqSeq. */
  readonly reqSeq: number;
}
export const counters = table<Counters>('counter', { inMemory: true });

/** The message that was queued for a cause. */
export interface Caused {
  readonly localId: string;
  /** The message, once the server has acknowledged it. */
  readonly sent?: SentMessage;
}

/** Causes by name. They stay until they are forgotten, also when their messages have left the outbox. */
export const causes = table<Caused>('cause');

/** Forgets the causes whose names begin with a text. The same causes queue messages again. */
export async function forgetCauses(tx: Tx, prefix: string): Promise<void> {
  for (const [name] of await tx.list(causes, { prefix })) tx.delete(causes, name);
}

/** Messages that must be unsent, by server id. */
export const takenBack = table<{ readonly reqSeq: number }>('taken-back', { inMemory: true });

export const outboxTables = [outgoing, counters, takenBack, copying];

const DIGITS = 12;
export const positionKey = (chatMid: string, position: number): string =>
  `${chatMid}/${String(position).padStart(DIGITS, '0')}`;

/** Returns the id on this device of the message with a key. */
export const localIdOf = (key: string): string => `local-${Number(key.slice(key.indexOf('/') + 1))}`;
