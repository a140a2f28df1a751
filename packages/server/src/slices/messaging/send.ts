import type { OutgoingMessage } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';

/** One message as its sender gave it, before the server stores it. */
export interface Send {
  readonly caller: Caller;
  readonly reqSeq: number;
  /**
   * Hash of the method and arguments. It is the same for each repeat of the send. Undefined if the reqSeq does not
   * identify a request.
   */
  readonly fingerprint: string | undefined;
  readonly message: OutgoingMessage;
}
