// The rows of the outbox: messages that the server has not acknowledged yet.

import type { OutgoingMedia } from '../media/outgoing.ts';
import type { Progress } from '../media/send-media.ts';
import type { StoredMessage } from '../replica/tables.ts';
import type { SealableMessage } from '../sealing/content.ts';
import type { PreparedMessage, SentMessage } from '../sealing/send.ts';
import type { SendMode } from '../sealing/send-mode.ts';
import { type Tx, table } from '../store/local-state.ts';
import { copying, forgetFile, type KeptFile, uploads } from './kept-files.ts';

/**
 * The state of an outgoing message. `queued`: not sent yet, or not since the server last refused it for certain.
 * `sending`: sent, but it is not known whether it arrived. `failed`: the server or this device refused it for good.
 */
export type OutgoingState = 'queued' | 'sending' | 'failed';

export interface SendFailureNote {
  /** The name of the error in the contract's table, or the reason of a SealingError, KeyTrustError or MediaError. */
  readonly reason: string;
  /** The explanation of the failure and advice, in plain words for users. */
  readonly text: string;
}

/** The data about a file that waits in the outbox, without its bytes. */
export interface OutgoingFile extends Omit<OutgoingMedia, 'bytes' | 'preview'>, KeptFile {
  readonly preview?: { readonly base64: string; readonly width: number; readonly height: number } | undefined;
  readonly keepMetadata?: boolean | undefined;
  readonly sealedPreview?: boolean | undefined;
}

export interface Outgoing {
  /** The id of the message on this device. It stays the same after the server has given the message another id. */
  readonly localId: string;
  /** The number of the message among all messages that this device has ever queued. */
  readonly position: number;
  readonly chatMid: string;
  /** The message as the user wrote it, with its creation time. */
  readonly content: SealableMessage;
  readonly mode: SendMode;
  readonly reqSeq: number;
  readonly state: OutgoingState;
  /** The picture, video, sound or file of the message, which is uploaded first. */
  readonly file?: OutgoingFile | undefined;
  /** The id of a message whose picture, video, sound or file this message forwards. */
  readonly copyOf?: string | undefined;
  /** The message `copyOf`, as this device has opened it. An older SDK did not store it, and queued only unsealed ones. */
  readonly source?: StoredMessage | undefined;
  /**
   * The bytes to send, stored before the first attempt. They stay the same until the server refuses them for certain.
   */
  readonly prepared?: PreparedMessage | undefined;
  /**
   * When the first attempt with these bytes began, in epoch milliseconds, and in which session. On the server, this
   * message can only be newer than the message with the id `after`.
   */
  readonly firstAttempt?: { readonly time: number; readonly session: string; readonly after: string } | undefined;
  /** The number of times that the message was prepared again after a refusal because of its keys. */
  readonly renewals: number;
  readonly failure?: SendFailureNote | undefined;
  /**
   * When the user took the message back, in epoch milliseconds, if it may have arrived already by then. It is not sent
   * again, and the client will unsend it as soon as its id is known.
   */
  readonly takenBack?: number;
  /**
   * A name for the event that caused the message. It prevents a second message if a program handles the event twice.
   */
  readonly cause?: string;
}

/** The options to send a message whose bytes are an object. */
export interface ObjectOptions {
  readonly signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** Stores the next state of the message. */
  update(next: (now: Outgoing) => Outgoing): Promise<unknown>;
}

/** Whether the bytes of a message are an object, which is uploaded or copied. */
export const hasObject = ({ file, copyOf }: Outgoing): boolean => file !== undefined || copyOf !== undefined;

/** Deletes what is kept for the object of a message that leaves the outbox. */
export function forgetObject(tx: Tx, row: Outgoing): void {
  if (row.file) forgetFile(tx, row.file);
  if (hasObject(row)) tx.delete(uploads, row.localId);
}

/** The messages that wait, by chat and position. */
export const outgoing = table<Outgoing>('outgoing', { inMemory: true });

export interface Counters {
  /** The last assigned position. Positions order the messages of a chat. */
  readonly position: number;
  /** The last assigned reqSeq. */
  readonly reqSeq: number;
}
export const counters = table<Counters>('counter', { inMemory: true });

/** The message that was queued with a cause. */
export interface Caused {
  readonly localId: string;
  /** The message, once the server has acknowledged it. */
  readonly sent?: SentMessage;
}

/**
 * Messages that were queued with a cause, by the name of the cause. An entry stays until it is forgotten, even if its
 * message has left the outbox.
 */
export const causes = table<Caused>('cause');

/** Removes the causes whose names begin with `prefix`, so that other messages with these causes can be queued. */
export async function forgetCauses(tx: Tx, prefix: string): Promise<void> {
  for (const [name] of await tx.list(causes, { prefix })) tx.delete(causes, name);
}

/** Messages that must be unsent, by server id. */
export const takenBack = table<{ readonly reqSeq: number }>('taken-back', { inMemory: true });

export const outboxTables = [outgoing, counters, takenBack, copying, uploads];

const DIGITS = 12;
export const positionKey = (chatMid: string, position: number): string =>
  `${chatMid}/${String(position).padStart(DIGITS, '0')}`;

/** Returns the `localId` of the message that is stored under a key. */
export const localIdOf = (key: string): string => `local-${Number(key.slice(key.indexOf('/') + 1))}`;
