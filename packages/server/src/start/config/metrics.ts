// The settings of the metrics page: where it is served, and who may read it. If strangers can reach a server in
// production, the page requires the admin token.
import ipaddr from 'ipaddr.js';
import { ConfigError } from '../../platform/kernel/config-error.ts';
import type { Mode } from './setting.ts';
import { refused, type SettingValue } from './setting-value.ts';

export interface MetricsConfig {
  /** A separate address for the metrics alone; undefined if the metrics are served at the address of the server. */
  readonly address: { readonly host: string; readonly port: number } | undefined;
  /** `token`: only with the admin token. `open`: to everybody who reaches the address. */
  readonly access: 'token' | 'open';
}

/** A description of how strangers can reach the server; undefined if only this machine can reach it. */
export type Exposure = string | undefined;

const ADDRESS = /^(\[[0-9a-f:.]+\]|[^:[\]\s]+):(\d{1,5})$/i;
/** The kinds of address ranges that nobody can reach from the internet. */
const OWN_RANGES = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);
const EXAMPLE = '127.0.0.1:9464 or [::1]:9464, with an IP address of this machine';

export function metricsOf(mode: Mode, of: (name: string) => SettingValue, exposure: Exposure): MetricsConfig {
  const access = of('metrics-access');
  const address = addressOf(of('metrics-address'));
  const usual = address || mode === 'dev' ? 'open' : 'token';
  if (access.value === 'token' || (access.value === 'auto' && usual === 'token')) return { address, access: 'token' };
  if (address) {
    requireOwn(of('metrics-address'), address.host);
    return { address, access: 'open' };
  }
  // A server for development listens on this machine only.
  if (exposure === undefined || mode === 'dev') return { address, access: 'open' };
  throw new ConfigError(
    `metrics-access is "open" (${access.source}) and strangers reach this server: ${exposure}. Leave it out, and /metrics needs the admin token; or set metrics-address, for example 127.0.0.1:9464.`,
  );
}

function addressOf(given: SettingValue): MetricsConfig['address'] {
  if (given.value === '') return undefined;
  const [, host = '', port = ''] = ADDRESS.exec(given.value) ?? [];
  const bare = host.replace(/^\[|\]$/g, '');
  if ((bare !== 'localhost' && !ipaddr.isValid(bare)) || Number(port) > 65_535) throw refused(given, EXAMPLE);
  return { host: bare, port: Number(port) };
}

/** Throws if strangers may reach an address, because everybody who reaches it can read the metrics. */
function requireOwn(given: SettingValue, host: string): void {
  if (host === 'localhost' || OWN_RANGES.has(ipaddr.process(host).range())) return;
  throw new ConfigError(
    `metrics-address is ${given.value} (${given.source}), where strangers may read it. Use an address of this machine or of a private network, or set metrics-access to token.`,
  );
}
