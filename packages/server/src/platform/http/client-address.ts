// The address that a request comes from: the peer of the connection or, behind trusted proxies, the address that the
// proxies report.
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Returns the function that finds a client's address.
 * @param proxies addresses and networks of trusted proxies; if the list is empty, `X-Forwarded-For` is ignored, because
 * clients can forge this header
 * @throws TypeError if an entry is not an address
 */
export function createClientAddress(proxies: readonly string[]): ClientAddress {
  const ofConnection: ClientAddress = (request) => request.socket.remoteAddress ?? '';
  if (proxies.length === 0) return ofConnection;
  const trusted = proxyAddr.compile([...proxies]);
  return (request) => {
    const told = proxyAddr(request, trusted);
    return told !== undefined && ipaddr.isValid(told) ? told : ofConnection(request);
  };
}
