// The request log: one line for each call, if the operator wants it. A line contains no text that a client chose: no
// path, query, header, body or token, and no name of an account.
import type { Logger } from '../kernel/logger.ts';

/** `errors` logs only calls that were refused or failed. */
export const requestLogModes = ['off', 'errors', 'all'] as const;
export type RequestLogMode = (typeof requestLogModes)[number];

/** A call as the request log shows it. */
export interface CallRecord {
  /** The name of the endpoint in the contract; `none` if no endpoint serves the path. */
  readonly endpoint: string;
  readonly verb: string;
  /** OK, or the name of the error. */
  readonly outcome: string;
  readonly status: number;
  readonly ms: number;
  /** Size of the request body in bytes. */
  readonly bytesIn: number;
  /** Size of the answer with its headers in bytes, as far as it was written when the call ended. */
  readonly bytesOut: number;
  /** A tag that is the same for all calls of an account. It tells nothing else about the account. */
  readonly account?: string;
  readonly requestId?: string;
  /** The trace of the call, if traces are made. */
  readonly traceId?: string;
}

export type RequestLog = (record: CallRecord) => void;

const OK = 'OK';
const FAULT_STATUS = 500;

/** Returns the request log; undefined if no lines are wanted. */
export function createRequestLog(mode: RequestLogMode, logger: Logger): RequestLog | undefined {
  if (mode === 'off') return undefined;
  // The request log has its own setting, so they do not depend on the level of the other lines.
  const lines = logger.child({}, { level: 'info' });
  return (record) => {
    if (record.outcome === OK) {
      if (mode === 'all') lines.info(record, 'call');
    } else if (record.status >= FAULT_STATUS) lines.error(record, 'call');
    else lines.info(record, 'call');
  };
}
