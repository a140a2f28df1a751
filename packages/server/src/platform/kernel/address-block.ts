// Groups of addresses that count as one client for limits: a single IPv4 address, or an IPv6 network of 64 bits. A
// network counts as one client, because providers give each customer a whole network.
import ipaddr from 'ipaddr.js';

const NETWORK_PARTS = 4;

export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, NETWORK_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
