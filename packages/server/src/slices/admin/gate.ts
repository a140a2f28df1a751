// Admits requests with the admin token. Requests with a wrong token are rate-limited per address and recorded.
import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from '../../platform/http/client-address.ts';
import { addressBlock } from '../../platform/kernel/address-block.ts';
import { sameText } from '../../platform/kernel/digest.ts';
import type { SecurityEvents } from '../../platform/kernel/security-events.ts';
import type { RateLimits } from '../../platform/rpc/rate-limit.ts';
import { Problem } from './problem.ts';

export interface AdminGateDeps {
  readonly adminToken: string;
  readonly clientAddress: ClientAddress;
  readonly rates: RateLimits;
  readonly events: SecurityEvents;
}

/**
 * Throws unless the request has the admin token.
 * @throws Problem
 */
export type AdminGate = (request: IncomingMessage) => void;

export function createAdminGate({ adminToken, clientAddress, rates, events }: AdminGateDeps): AdminGate {
  return (request) => {
    const address = clientAddress(request);
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    // The limit is checked before the token, so that an address over the limit cannot test tokens.
    const turn = rates.take('admin', addressBlock(address));
    if (!turn.ok) {
      events.note('limit', address);
      const seconds = Math.ceil(turn.retryAfterMs / 1000);
      throw new Problem(429, `too many requests with wrong admin tokens from this address; wait ${seconds} s`, {
        retryAfter: seconds,
      });
    }
    if (sameText(given, adminToken)) {
      rates.give('admin', addressBlock(address));
      return;
    }
    events.note('wrong-admin-token', address);
    throw new Problem(401, 'the header Authorization must be "Bearer" and the admin token');
  };
}
