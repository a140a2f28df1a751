// Recognizes messages of the outbox in the operation log. The sender's own operation carries the reqSeq of its send.
import { operationTypes } from '@sealpost/contract';
import type { OpenedOperation } from '../sealing/sealing-client.ts';
import type { Outgoing } from './outgoing.ts';

/**
 * Returns the outgoing message that an operation shows to be stored; undefined if it shows none. Another session of the
 * account may use the same reqSeq, so chat and content are compared too.
 */
export function echoed(rows: readonly Outgoing[], { type, reqSeq, message }: OpenedOperation): Outgoing | undefined {
  if (type !== operationTypes.SEND_MESSAGE || !message) return undefined;
  return rows.find((row) => {
    const sent = row.prepared?.outgoing;
    if (!sent || !row.firstAttempt || row.reqSeq !== reqSeq || sent.to !== message.to) return false;
    if (sent.chunks?.length) return sent.chunks.join() === message.chunks?.join();
    return (sent.contentType ?? 0) === message.contentType && (sent.text ?? undefined) === (message.text ?? undefined);
  });
}
