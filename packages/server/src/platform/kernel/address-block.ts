// Whom an address counts for: one customer of a provider has 2^64 addresses of IPv6, and one of IPv4.
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
