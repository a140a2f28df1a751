// Where a request comes from: the other end of its connection or, behind proxies that the operator names, what they say.
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

export type ClientAddress = (request: IncomingMessage) => string;

/**
 * @param proxies addresses and networks; with none, `X-Forwarded-For` is what anybody may write
 * @throws TypeError for one that is no address
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
