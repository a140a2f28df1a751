// A message as it is handed to the server, with the number that makes it arrive once, however often it is handed over.
import type { OutgoingMessage } from '@sealpost/contract';

/** Plain JSON: it may be kept and sent again in a later run of the same session. */
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
