// Recognizes messages of the outbox in the operation log. The operation that the sender gets has the reqSeq of the send
// call.
import { type Message, type OutgoingMessage, operationTypes } from '@sealpost/contract';
import { isUnsent } from '../replica/tables.ts';
import type { OpenedOperation } from '../sealing/sealing-client.ts';
import type { Outgoing } from './outgoing.ts';

/**
 * Returns the outgoing message that the server has stored according to this operation; undefined if there is none.
 * Another session of the account may use the same reqSeq, so chat and content are compared too. A message that another
 * device has unsent has no content any more.
 */
export function echoed(rows: readonly Outgoing[], { type, reqSeq, message }: OpenedOperation): Outgoing | undefined {
  if (type !== operationTypes.SEND_MESSAGE || !message) return undefined;
  return rows.find((row) => {
    const sent = row.prepared?.outgoing;
    if (!sent || !row.firstAttempt || row.reqSeq !== reqSeq || sent.to !== message.to) return false;
    return isUnsent(message) || hasContentOf(sent, message);
  });
}

/** Returns whether a stored message has the content that was sent. */
export function hasContentOf(sent: OutgoingMessage, stored: Message): boolean {
  if (sent.chunks?.length) return sent.chunks.join() === stored.chunks?.join();
  return (
    (sent.contentType ?? 0) === stored.contentType &&
    (sent.text || undefined) === stored.text &&
    hasAllOf(sent.contentMetadata, stored.contentMetadata) &&
    hasAllOf(sent.location, stored.location)
  );
}

/** Returns whether an object has all fields of another one. The server may add fields. */
const hasAllOf = (sent: object = {}, stored: object = {}): boolean => {
  const found = new Map(Object.entries(stored));
  return Object.entries(sent).every(([name, value]) => JSON.stringify(found.get(name)) === JSON.stringify(value));
};
