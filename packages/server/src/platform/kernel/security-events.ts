// Events that the operator of a public server should know: refusals that attackers cause, by kind and address. The
// server counts these events. The log gets one line per kind and address in each interval, so that a flood of requests
// does not fill the disk.
import { ApiError, type ErrorName } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import type { Logger } from './logger.ts';

/** Descriptions of the events for the log. */
export const securityEvents = {
  'failed-login': 'a login with a wrong password, or for nobody',
  'failed-admin-login': 'a login of an administrator with a wrong name, password or second factor',
  'revoked-family': 'a refresh token was used again: its session ended, because somebody else may have it',
  limit: 'a call or a connection was refused by a limit',
  'wrong-admin-token': 'a request of the admin API without its token',
  'wrong-invite': 'a registration with a code that no invite has',
  'wrong-signature': 'a request without a signature, or with a wrong one',
} as const;

export type SecurityEvent = keyof typeof securityEvents;

/** An API error that names its security event, because the error code alone does not tell the event. */
export class NotedError extends ApiError {
  readonly event: SecurityEvent;
  constructor(event: SecurityEvent, code: ErrorName, reason?: string) {
    super(code, reason);
    this.event = event;
  }
}

const byError: Partial<Record<ErrorName, SecurityEvent>> = {
  INVALID_IDENTITY_CREDENTIAL: 'failed-login',
  EXCESSIVE_ACCESS: 'limit',
  REQUEST_INVALID_HMAC: 'wrong-signature',
};

/** Returns the security event that an error reports, if there is one. */
export const eventOf = (error: ApiError): SecurityEvent | undefined =>
  error instanceof NotedError ? error.event : byError[error.code];

export interface SecurityEvents {
  note(event: SecurityEvent, address: string): void;
  /** Number of events of each kind since the start. */
  readonly counts: ReadonlyMap<SecurityEvent, number>;
  /** Logs the remaining events and stops the timer. */
  close(): void;
}

const INTERVAL_MS = 10_000;
/** Addresses of one kind that are logged separately in one interval; further addresses are counted together. */
const MOST_ADDRESSES = 1_000;
const OTHERS = 'others';

export function createSecurityEvents(log: Logger, timers: Timers): SecurityEvents {
  const kinds = Object.keys(securityEvents) as SecurityEvent[];
  const counts = new Map(kinds.map((event) => [event, 0]));
  const waiting = new Map(kinds.map((event) => [event, new Map<string, number>()]));

  function tell(): void {
    for (const [event, addresses] of waiting) {
      for (const [address, count] of addresses) log.warn({ event, address, count }, securityEvents[event]);
      addresses.clear();
    }
  }
  const timer = timers.every(INTERVAL_MS, tell, { coarse: () => true });

  return {
    note(event, address) {
      counts.set(event, (counts.get(event) ?? 0) + 1);
      const addresses = waiting.get(event) as Map<string, number>;
      const name = addresses.has(address) || addresses.size < MOST_ADDRESSES ? address || 'unknown' : OTHERS;
      addresses.set(name, (addresses.get(name) ?? 0) + 1);
    },
    counts,
    close() {
      timer.cancel();
      tell();
    },
  };
}
