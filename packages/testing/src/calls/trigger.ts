// Events that a test writes into the open streams of an account.
import { syncTriggerReasons, talkCodes } from '@sealpost/contract';
import { streamEvents } from '@sealpost/contract/schemas';
import type { Trigger } from '@sealpost/contract/workbench';
import { type TappedStream, writeEvent } from './stream-taps.ts';

type StreamTrigger = Exclude<Trigger['event'], 'expireTokens' | 'endSessions' | 'message'>;

export interface TriggerDetails {
  /** The newest revision of the account. */
  readonly revision: number;
  /** The code of a talkException. Default: the code of an expired token. */
  readonly code?: number;
}

export function triggerEvent(event: StreamTrigger, streams: readonly TappedStream[], details: TriggerDetails): void {
  for (const stream of streams) {
    if (event === 'cut') stream.response.destroy();
    else if (event === 'silence') stream.tap.fate = 'held';
    else writeEvent(stream, event, dataOf(event, details), streamEvents[event].closes);
  }
}

function dataOf(event: 'reconnect' | 'fullSync' | 'talkException' | 'ping', { revision, code }: TriggerDetails) {
  switch (event) {
    case 'fullSync':
      return { reasons: [syncTriggerReasons.OPERATION_EXPIRED], nextRevision: String(revision) };
    case 'talkException':
      return {
        code: code ?? talkCodes.MUST_REFRESH_V3_TOKEN,
        reason: 'triggered by the workbench',
        parameterMap: null,
      };
    default:
      return {};
  }
}
