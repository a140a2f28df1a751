import type { OutgoingMessage } from '@sealpost/contract';
import type { Caller } from '../../platform/rpc/call.ts';

/** One message on its way, as its sender gave it. */
export interface Send {
  readonly caller: Caller;
  readonly reqSeq: number;
  /** The same for each repetition of the send; undefined when the reqSeq is no key. */
  readonly fingerprint: string | undefined;
  readonly message: OutgoingMessage;
}
