// Rules for the addresses that this server may call. A client must not make the server call into the operator's own
// networks.
import ipaddr from 'ipaddr.js';

export interface AddressRules {
  /**
   * Hosts that may be called; if the list is empty, all may. `*.example.org` stands for every host below example.org.
   */
  readonly hosts: readonly string[];
  /**
   * Networks that may be called although they are not public. Only hosts in these networks may be called without https.
   */
  readonly networks: readonly string[];
}

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** @throws Error if the text is neither an address nor a network such as 10.0.0.0/8 */
export function networkOf(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

export function createAddressRules({ hosts, networks }: AddressRules) {
  const named = networks.map(networkOf);

  const isNamed = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
    named.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));

  /** Returns whether the server may connect to an IP address. */
  function allows(address: string, protocol: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    // An IPv4 address that is written as an IPv6 address is checked as the IPv4 address.
    const parsed = ipaddr.process(address);
    return isNamed(parsed) || (protocol === 'https:' && parsed.range() === 'unicast');
  }

  /** Returns why an address may not be called; undefined if its text shows no reason. */
  function refusalOf(text: string): string | undefined {
    const url = URL.parse(text);
    if (!url) return 'it is not an address';
    if (url.username || url.password) return 'it has a user or a password';
    const host = hostOf(url);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && named.length > 0)) return 'it is not https';
    if (hosts.length > 0 && !hosts.some((pattern) => isHost(host, pattern))) return `${host} is not an allowed host`;
    if (ipaddr.isValid(host) && !allows(host, url.protocol)) return `${host} is not a public address`;
    return undefined;
  }

  return { allows, refusalOf };
}

/** Returns the host of an address. An IPv6 address is returned without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const isHost = (host: string, pattern: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
