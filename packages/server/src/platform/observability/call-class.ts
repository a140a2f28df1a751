// Classes of endpoints. Calls of one class take about equally long, so they share a histogram.
import type { LimitClass } from '@sealpost/contract';
import type { Endpoint } from '../rpc/endpoint.ts';

/** Endpoints whose calls wait until something happens. Their time tells nothing about the server. */
export const waitingEndpoints: readonly string[] = [
  'TalkService.fetchOps',
  'SecondaryQrCodeLoginPermitNoticeService.checkQrCodeVerified',
  'SecondaryQrCodeLoginPermitNoticeService.checkPinCodeVerified',
  'longPollLF1',
  'longPollJQ',
];

/**
 * The class of an endpoint: its class of rate limits, or one of the following. `poll`: waits until something happens.
 * `upload`, `download`: last as long as the transfer. `beside`: pages and the admin API. `none`: no endpoint.
 */
export type CallClass = LimitClass | 'poll' | 'upload' | 'download' | 'beside' | 'none';

const waiting = new Set(waitingEndpoints);

export function classOf(endpoint: Pick<Endpoint, 'name' | 'verbs' | 'bodyBytes'> | undefined, verb: string): CallClass {
  if (!endpoint) return 'none';
  // Only the handlers of object storage read bodies themselves, so a call without a limit on its body is an upload or a
  // download.
  if (endpoint.bodyBytes === undefined) return verb === 'POST' ? 'upload' : 'download';
  return waiting.has(endpoint.name) ? 'poll' : (endpoint.verbs[verb] ?? 'none');
}
