// The name and origin for which passkeys of this server are made. Both follow from the address that clients use.
import { isIP } from 'node:net';

export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns the name and origin for passkeys; undefined if passkeys do not work at the address. Browsers offer passkeys
 * only for host names, and only with https. The exception is `localhost`, which is used for the addresses of this
 * machine.
 */
export function relyingPartyOf(address: string): RelyingParty | undefined {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))) {
    url.hostname = 'localhost';
    return { id: 'localhost', origin: url.origin };
  }
  if (url.protocol !== 'https:' || isIP(host) !== 0) return undefined;
  return { id: host, origin: url.origin };
}
