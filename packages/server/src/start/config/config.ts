// The settings as one object, read once at the start. If settings contradict each other, the server does not start.
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FailureLimits, type Limits, limits, type RegistrationMode } from '@sealpost/contract';
import type { ServerSetting } from '@sealpost/contract/admin';
import { registrationModes } from '@sealpost/contract/registration-names';
import { pagesFolder } from '@sealpost/web';
import { createClientAddress } from '../../platform/http/client-address.ts';
import { originFault } from '../../platform/http/cors.ts';
import { INDEX } from '../../platform/http/page-folder.ts';
import { ConfigError } from '../../platform/kernel/config-error.ts';
import { maxNodes } from '../../platform/kernel/ids.ts';
import type { LogLevel } from '../../platform/kernel/logger.ts';
import { type RequestLogMode, requestLogModes } from '../../platform/observability/request-log.ts';
import type { AddressRules } from '../../platform/outbound/address-rules.ts';
import type { RateSettings } from '../../platform/rpc/rate-limit.ts';
import type { SignatureMode } from '../../platform/rpc/signature.ts';
import type { DatabaseCheck } from '../../platform/store/sqlite-connection.ts';
import type { MediaSettings } from '../../slices/media/index.ts';
import { failureLimitsOf, limitsOf, ratesOf } from './limits.ts';
import { type MetricsConfig, metricsOf } from './metrics.ts';
import { type ObjectsConfig, objectsOf, pathOf } from './objects.ts';
import { networksOf, type PushConfig, pushOf } from './outbound.ts';
import type { Mode } from './setting.ts';
import { folder, integer, itemsOf, refused, type SettingValue, shownValue, siteAddress } from './setting-value.ts';
import { type ConfigSources, DEFAULT_FILE, settingValues } from './sources.ts';
import { type TracesConfig, tracesOf } from './traces.ts';

export interface Config {
  /** All settings as administrators see them, with secrets hidden. */
  readonly shown: readonly ServerSetting[];
  readonly mode: Mode;
  readonly host: string;
  readonly port: number;
  /** Number of processes that serve together. If there are more than one, a supervisor runs them. */
  readonly processes: number;
  readonly dataDir: string;
  /** True if a command that is run in this folder without options finds the data folder. */
  readonly dataDirIsFound: boolean;
  readonly database:
    | { readonly kind: 'sqlite'; readonly path: string }
    | { readonly kind: 'postgres'; readonly url: string };
  readonly busUrl: string | undefined;
  readonly media: MediaSettings;
  /** Days that messages are kept; 0 keeps them for ever. */
  readonly messageDays: number;
  readonly objects: ObjectsConfig;
  readonly publicUrl: string | undefined;
  readonly adminToken: string | undefined;
  readonly signature: SignatureMode;
  readonly buildTokens: readonly string[];
  /** The folder of the web pages; undefined if no pages are shown. */
  readonly webPages: string | undefined;
  /** The build token of the web pages; undefined if the server makes it. */
  readonly webBuildToken: string | undefined;
  /** True if the administration pages are served. */
  readonly adminPages: boolean;
  readonly headerBrand: string;
  readonly registration: RegistrationMode;
  readonly loginConfirmation: 'new-device' | 'never';
  readonly metrics: MetricsConfig;
  /** The settings of traces; undefined if no traces are wanted. */
  readonly traces: TracesConfig | undefined;
  readonly readyFile: string | undefined;
  /** Milliseconds that a server that is told to stop goes on, while it ends its streams one after another. */
  readonly drainMs: number;
  readonly allowedOrigins: readonly string[];
  readonly forbiddenWords: readonly string[];
  readonly logLevel: LogLevel;
  readonly requestLog: RequestLogMode;
  readonly databaseCheck: DatabaseCheck;
  readonly leastFreeBytes: number;
  readonly allowUnsafeDatabase: boolean;
  readonly trustedProxies: readonly string[];
  readonly connectionsPerAddress: number;
  readonly outbound: AddressRules;
  readonly push: PushConfig;
  readonly limits: Limits;
  readonly failureLimits: FailureLimits;
  readonly rates: RateSettings;
}

const MOST_BYTES = 2 ** 50;
/**
 * Maximum number of processes: one less than the servers that a database can have. So a new process can start before
 * the old process that it replaces ends.
 */
const MOST_PROCESSES = maxNodes - 1;
const MOST_DRAIN_SECONDS = 3600;
/** The smallest length of an admin token in characters. Shorter tokens could be guessed. */
const LEAST_ADMIN_TOKEN = 16;

/**
 * Returns the settings as one object.
 * @param options `s3Elsewhere`: S3 settings are allowed although the objects are elsewhere, because a command uses them
 * @throws ConfigError if a setting is invalid, or if settings contradict each other
 */
export function loadConfig(mode: Mode, sources: ConfigSources, options: { s3Elsewhere?: boolean } = {}): Config {
  const values = new Map(settingValues(mode, sources).map((given) => [given.name, given]));
  const of = (name: string): SettingValue => values.get(name) as SettingValue;
  const text = (name: string): string => of(name).value;
  const some = (name: string): string | undefined => text(name) || undefined;
  const items = (name: string): string[] => itemsOf(of(name));
  const dataDir = folder(of('data-dir'));
  const config: Config = {
    shown: [...values.values()].map(settingShown),
    mode,
    host: text('host'),
    port: integer(of('port'), 0, 65535),
    processes: integer(of('processes'), 1, MOST_PROCESSES),
    dataDir,
    dataDirIsFound: ['default', DEFAULT_FILE].includes(of('data-dir').source),
    database: databaseOf(of('database-url'), dataDir),
    busUrl: busUrlOf(of('bus-url')),
    objects: objectsOf(of, dataDir, options),
    media: {
      objectBytes: integer(of('object-bytes'), 1, MOST_BYTES),
      quota: {
        bytes: integer(of('quota-bytes'), 1, MOST_BYTES),
        objects: integer(of('quota-objects'), 1, 1_000_000_000),
      },
      mediaDays: integer(of('media-days'), 0, 36_500),
      quarantineDays: integer(of('quarantine-days'), 1, 36_500),
      sweepPercent: integer(of('sweep-percent'), 0, 100),
      leastRate: integer(of('transfer-rate'), 0, 1_000_000_000),
    },
    messageDays: integer(of('message-days'), 0, 36_500),
    publicUrl: siteAddress(of('public-url'), 'https://chat.example.org'),
    trustedProxies: proxiesOf(of('trusted-proxies')),
    adminToken: some('admin-token'),
    signature: text('signature') as SignatureMode,
    buildTokens: items('build-tokens'),
    webPages: webPagesOf(of('web-pages')),
    webBuildToken: some('web-build-token'),
    adminPages: text('admin-pages') === 'true',
    headerBrand: text('header-brand'),
    registration: registrationModes.find((mode) => mode === text('registration')) ?? 'closed',
    loginConfirmation: text('login-confirmation') as Config['loginConfirmation'],
    metrics: metricsOf(mode, of, exposureOf(of)),
    traces: tracesOf(of),
    readyFile: some('ready-file'),
    drainMs: integer(of('drain-seconds'), 0, MOST_DRAIN_SECONDS) * 1000,
    allowedOrigins: originsOf(of('allowed-origins')),
    forbiddenWords: items('forbidden-words').map((word) => word.normalize('NFKC').toLowerCase()),
    logLevel: text('log-level') as LogLevel,
    requestLog: requestLogModes.find((mode) => mode === text('request-log')) ?? 'off',
    databaseCheck: text('database-check') as DatabaseCheck,
    leastFreeBytes: integer(of('least-free-bytes'), 0, MOST_BYTES),
    allowUnsafeDatabase: text('allow-unsafe-database') === 'true',
    outbound: {
      hosts: items('outbound-hosts').map((host) => host.toLowerCase()),
      networks: networksOf(of('outbound-networks')),
    },
    push: pushOf(of),
    connectionsPerAddress: integer(of('connections-per-address'), 1, 1_000_000),
    limits: limitsOf(of),
    failureLimits: failureLimitsOf(of),
    rates: ratesOf(of),
  };
  requireConsistent(config, of);
  return config;
}

/** Returns a setting as administrators see it. */
const settingShown = (given: SettingValue): ServerSetting => ({
  name: given.name,
  value: shownValue(given),
  origin: given.source,
  secret: given.secret,
  meaning: given.doc,
});

function requireConsistent(config: Config, of: (name: string) => SettingValue): void {
  const allowPlainHttp = of('allow-plain-http').value === 'true';
  const loopback = isLoopback(config.host);
  if (config.mode === 'dev' && !loopback) {
    throw new ConfigError(
      `dev mode has known passwords and listens on loopback only, not on ${config.host}. Use \`sealpost serve\`.`,
    );
  }
  if (config.mode === 'dev' && config.trustedProxies.length > 0) {
    throw new ConfigError(
      `dev mode has known passwords, and trusted-proxies is ${of('trusted-proxies').value}: others would reach it through the proxy. Use \`sealpost serve\`.`,
    );
  }
  if (!loopback && !allowPlainHttp && !config.publicUrl?.startsWith('https://')) {
    throw new ConfigError(
      `${config.host} is reachable by others and this server speaks plain http. Put a proxy with https in front and set --public-url https://…, or accept it with --allow-plain-http true.`,
    );
  }
  requireProcesses(config, of('processes'));
  const endpoint =
    config.objects.kind === 's3' && config.objects.endpoint ? new URL(config.objects.endpoint) : undefined;
  if (endpoint?.protocol === 'http:' && !isLoopback(endpoint.hostname) && !allowPlainHttp) {
    throw new ConfigError(
      `s3-endpoint is ${endpoint.origin}: media would pass in the clear. Use https://…, or accept it with --allow-plain-http true.`,
    );
  }
  if (config.mode === 'serve' && config.adminToken && config.adminToken.length < LEAST_ADMIN_TOKEN) {
    throw new ConfigError(
      `admin-token has ${config.adminToken.length} characters (${of('admin-token').source}); it must have at least ${LEAST_ADMIN_TOKEN}, because whoever guesses it rules every account. Leave it empty, and one is made in the data folder.`,
    );
  }
  if (config.buildTokens.length === 0) throw new ConfigError('build-tokens is empty: no client could sign a request.');
  if (config.webBuildToken && config.webPages === undefined) {
    throw new ConfigError(
      `web-build-token is set (${of('web-build-token').source}) and web-pages is none; leave out one of them.`,
    );
  }
  if (!/^[A-Za-z][A-Za-z0-9]{0,30}$/.test(config.headerBrand)) {
    throw refused(of('header-brand'), 'letters and digits, for example Svc');
  }
  const { accessTokenMs, renewalDueMs } = config.limits;
  if (renewalDueMs.value >= accessTokenMs.value) {
    throw refused(
      of(limits.renewalDueMs.setting),
      `less than ${limits.accessTokenMs.setting} (${of(limits.accessTokenMs.setting).value}): clients renew before a token expires`,
    );
  }
  if (config.busUrl && config.database.kind === 'sqlite') {
    throw new ConfigError(
      'bus-url connects servers that share a database, and SQLite cannot be shared; use postgres:// or leave bus-url empty.',
    );
  }
}

/** Throws if the settings ask for several processes but only one is possible. */
function requireProcesses({ mode, database, processes }: Config, given: SettingValue): void {
  if (processes === 1) return;
  if (mode === 'dev') {
    throw new ConfigError(`processes is ${processes} (${given.source}), and dev runs one. Use \`sealpost serve\`.`);
  }
  if (database.kind === 'sqlite') {
    throw new ConfigError(
      `processes is ${processes} (${given.source}), and the database is SQLite, which only one process can use. Set database-url to postgres://…, or leave processes at 1. \`sealpost move\` moves a server to PostgreSQL.`,
    );
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));

/** Returns a description of how strangers can reach the server; undefined if only this machine can reach it. */
function exposureOf(of: (name: string) => SettingValue): string | undefined {
  const [host, publicUrl, proxies] = [of('host'), of('public-url'), of('trusted-proxies')];
  const telling = [publicUrl, proxies].find(({ value }) => value !== '') ?? (isLoopback(host.value) ? undefined : host);
  return telling && `${telling.name} is ${shownValue(telling)} (${telling.source})`;
}

function proxiesOf(given: SettingValue): readonly string[] {
  const proxies = itemsOf(given);
  try {
    createClientAddress(proxies);
    return proxies;
  } catch (error) {
    const { message } = error as Error;
    throw refused(given, `addresses and networks like 127.0.0.1, 10.0.0.0/8 or loopback (${message})`);
  }
}

function originsOf(given: SettingValue): readonly string[] {
  const origins = itemsOf(given);
  for (const origin of origins) {
    const fault = originFault(origin);
    if (fault) {
      const example = 'origins like https://app.example.org, https://*.example.org or chrome-extension://*';
      throw refused(given, `${example}, and ${JSON.stringify(origin)} is not one: ${fault}`);
    }
  }
  return origins;
}

/**
 * Returns the folder of the web pages; undefined if the settings want none. The folder of the web client may still be
 * empty. A folder that the operator names must contain pages.
 */
function webPagesOf(given: SettingValue): string | undefined {
  if (given.value === 'none') return undefined;
  if (given.value === '') return fileURLToPath(pagesFolder);
  if (existsSync(join(given.value, INDEX))) return given.value;
  throw refused(given, `a folder with ${INDEX}, or none`);
}

function busUrlOf(given: SettingValue): string | undefined {
  const { value: url } = given;
  if (url === '') return undefined;
  if (url.startsWith('nats://') && URL.canParse(url)) return url;
  throw refused(given, 'an address like nats://127.0.0.1:4222');
}

function databaseOf(given: SettingValue, dataDir: string): Config['database'] {
  const { value: url } = given;
  if (url === '') return { kind: 'sqlite', path: `${dataDir}/sealpost.db` };
  if (url.startsWith('sqlite:')) return { kind: 'sqlite', path: pathOf(url, 'sqlite:') };
  const parsed = /^postgres(ql)?:\/\//.test(url) ? URL.parse(url) : null;
  // With a bare / or # in the password, the rest of the password would count as the host or the database.
  if (parsed && !`${parsed.pathname}${parsed.hash}`.includes('@')) return { kind: 'postgres', url };
  throw refused(
    given,
    'sqlite:<file>, or postgres://<user>:<password>@<host>/<database>, with / in the password as %2F, @ as %40 and # as %23',
  );
}
