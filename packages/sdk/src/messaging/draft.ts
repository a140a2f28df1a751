// A message ready to send, with its reqSeq. Because of the reqSeq, the server stores the message only once, however
// often it is sent.
import type { OutgoingMessage } from '@sealpost/contract';

/**
 * A message and its reqSeq. It is plain JSON, so it can be stored and sent again in a later run of the same session.
 */
export interface Draft {
  readonly reqSeq: number;
  readonly message: OutgoingMessage;
}

export function draftOf(
  message: OutgoingMessage,
  made: { reqSeq: number; own: string | undefined; now: number },
): Draft {
  const { reqSeq, own, now } = made;
  return {
    reqSeq,
    message: {
      id: `local-${reqSeq}`,
      createdTime: String(now),
      ...(own === undefined ? {} : { from: own }),
      ...message,
    },
  };
}
