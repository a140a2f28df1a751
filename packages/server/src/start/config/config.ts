// Settings: flags over environment over config file over defaults. Read once; contradictions stop the start.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import {
  type FailureLimits,
  failureLimits,
  type Limits,
  limits,
  type RateLimit,
  rateLimits,
  type SettableLimit,
} from '@sealpost/contract';
import { createClientAddress } from '../../platform/http/client-address.ts';
import { originFault } from '../../platform/http/cors.ts';
import { ConfigError } from '../../platform/kernel/config-error.ts';
import { type LogLevel, logLevels } from '../../platform/kernel/logger.ts';
import type { RateSettings } from '../../platform/rpc/rate-limit.ts';
import type { SignatureMode } from '../../platform/rpc/signature.ts';
import type { DatabaseCheck } from '../../platform/store/sqlite-connection.ts';
import type { MediaSettings } from '../../slices/media/index.ts';
import { type ObjectsConfig, objectsOf, pathOf } from './objects.ts';
import { folder, httpAddress, integer, refused, type SettingValue } from './setting-value.ts';

export { ConfigError } from '../../platform/kernel/config-error.ts';

export type Mode = 'serve' | 'dev';

interface Setting {
  readonly name: string;
  readonly doc: string;
  readonly fallback: string | Readonly<Record<Mode, string>>;
  readonly secret?: true;
  /** Allowed values; anything if absent. */
  readonly values?: readonly string[];
}

const setting = (name: string, fallback: Setting['fallback'], doc: string, more: Partial<Setting> = {}): Setting => ({
  name,
  fallback,
  doc,
  ...more,
});

interface Range {
  readonly least: number;
  readonly most: number;
  /** Of the limit, in one of the setting. */
  readonly unit?: number;
  readonly in?: string;
}

/** What the settings of limits may be. */
const ranges: { readonly [N in SettableLimit]: Range } = {
  operationDays: { least: 1, most: 36_500 },
  operationCount: { least: 100, most: 1_000_000_000 },
  chatMembers: { least: 2, most: 5_000 },
  streamBytes: { least: 2 ** 20, most: 2 ** 40 },
  unsendWindowMs: { least: 0, most: 8_760, unit: 3_600_000, in: ', in hours' },
  accessTokenMs: { least: 1, most: 8_760, unit: 3_600_000, in: ', in hours' },
  renewalDueMs: { least: 1, most: 8_760, unit: 3_600_000, in: ', in hours' },
};
const settableLimits = Object.keys(ranges) as SettableLimit[];
const unitOf = (name: SettableLimit): number => ranges[name].unit ?? 1;
const failureNames = Object.keys(failureLimits) as (keyof FailureLimits)[];
const failureSetting = (name: string): string =>
  `failures-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
const rateEntries = Object.entries<RateLimit>(rateLimits);
const MIB = 2 ** 20;
const GIB = 2 ** 30;
/** Every client knows it, so that a first one needs no settings. */
export const PUBLIC_BUILD_TOKEN = 'sealpost-dev';
/** Characters of a token that nobody guesses. */
const LEAST_ADMIN_TOKEN = 16;

/** Every setting: `data-dir` is the flag `--data-dir`, the variable `SEALPOST_DATA_DIR` and the key in the file. */
export const settings: readonly Setting[] = [
  setting('host', '127.0.0.1', 'address to listen on'),
  setting('port', '8787', 'port to listen on; 0 takes any free one'),
  setting('data-dir', './data', 'folder of the embedded database, objects and secrets'),
  setting('database-url', '', 'sqlite:<file> or postgres://…; a file in the data folder if empty'),
  setting('bus-url', '', 'nats://… when several servers share a database'),
  setting(
    'objects-url',
    '',
    'file:<folder> or s3://<bucket>/<prefix> of media objects; a folder in the data folder if empty',
  ),
  setting('s3-endpoint', '', 'address of an S3 server of your own, for example https://s3.example.org'),
  setting('s3-region', 'us-east-1', 'region of the bucket'),
  setting('s3-access-key', '', 'key for S3; found in the environment or by the role of the machine if empty'),
  setting('s3-secret-key', '', 'secret of that key', { secret: true }),
  setting('s3-path-style', 'auto', 'host/bucket instead of bucket.host; auto: with an s3-endpoint', {
    values: ['auto', 'true', 'false'],
  }),
  setting('s3-link-seconds', '0', 'seconds for which a download is redirected to S3; 0 sends it through this server'),
  setting('s3-link-endpoint', '', 's3-endpoint as clients reach it, if that is another address'),
  setting('object-bytes', String(2 * GIB), 'bytes that one media object may have'),
  setting('quota-bytes', String(20 * GIB), 'bytes of media that one account may keep'),
  setting('quota-objects', '100000', 'media objects that one account may keep'),
  setting('media-days', '0', 'days that media of messages are kept; 0 keeps them for ever'),
  setting(
    'quarantine-days',
    '7',
    'days that stored media which nothing names wait in quarantine before they are removed',
  ),
  setting('sweep-percent', '10', 'share of stored media that may go to quarantine at once; more stops the sweep'),
  setting('transfer-rate', '1024', 'bytes per second below which an upload or download is cut'),
  setting('public-url', '', 'address that clients use, for example https://chat.example.org'),
  setting(
    'trusted-proxies',
    '',
    'addresses and networks of proxies whose X-Forwarded-For is believed, separated by commas',
  ),
  setting('admin-token', '', 'token of the admin API; made in the data folder if empty', { secret: true }),
  setting('signature', 'strict', 'how X-Hmac is checked', { values: ['strict', 'lenient', 'off'] }),
  setting('build-tokens', PUBLIC_BUILD_TOKEN, 'build tokens that clients may sign with, separated by commas', {
    secret: true,
  }),
  setting('header-brand', 'Svc', 'brand in header names: X-<brand>-Access'),
  setting('registration', 'invite', 'who may open accounts; so far only the admin does', {
    values: ['invite', 'open', 'closed'],
  }),
  setting('login-confirmation', { serve: 'new-device', dev: 'never' }, 'whether a new device needs a confirmation', {
    values: ['new-device', 'never'],
  }),
  setting('ready-file', '', 'file that is written when the server accepts requests'),
  setting('forbidden-words', '', 'words that no text on a sticker may contain, separated by commas'),
  setting(
    'allowed-origins',
    '',
    'origins of web pages that may call, separated by commas; a * stands for one whole label, * alone for any page without cookies',
  ),
  setting('log-level', { serve: 'info', dev: 'warn' }, 'how much is logged', { values: logLevels }),
  setting(
    'allow-plain-http',
    'false',
    'listens on a public address without https in front, or reaches S3 without https',
    {
      values: ['true', 'false'],
    },
  ),
  setting(
    'database-check',
    'auto',
    'whether a start reads the SQLite database for damage; auto: if it has 2 GiB at most',
    { values: ['auto', 'always', 'never'] },
  ),
  setting('least-free-bytes', String(64 * MIB), 'free bytes of a disk below which /readyz answers 503; 0 never does'),
  setting('allow-unsafe-database', 'false', 'accepts a PostgreSQL that may lose commits', {
    values: ['true', 'false'],
  }),
  setting('connections-per-address', '10000', 'connections that one address may have open'),
  ...settableLimits.map((name) =>
    setting(
      limits[name].setting,
      String(limits[name].value / unitOf(name)),
      limits[name].doc + (ranges[name].in ?? ''),
    ),
  ),
  ...failureNames.map((name) => {
    const { free, windowSec, delaySec, longestDelaySec, doc } = failureLimits[name];
    return setting(
      failureSetting(name),
      `${free}/${windowSec}+${delaySec}..${longestDelaySec}`,
      `${doc}: free ones/seconds of the window+first delay..longest delay`,
    );
  }),
  ...rateEntries.map(([name, { burst, perSecond, doc, per }]) =>
    setting(`rate-${name}`, `${burst}+${Number(perSecond.toPrecision(3))}`, `${doc}: burst+per second, per ${per}`),
  ),
];

export interface Config {
  readonly mode: Mode;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Whether a command that is run in this folder without options finds the data folder. */
  readonly dataDirIsFound: boolean;
  readonly database:
    | { readonly kind: 'sqlite'; readonly path: string }
    | { readonly kind: 'postgres'; readonly url: string };
  readonly busUrl: string | undefined;
  readonly media: MediaSettings;
  readonly objects: ObjectsConfig;
  readonly publicUrl: string | undefined;
  readonly adminToken: string | undefined;
  readonly signature: SignatureMode;
  readonly buildTokens: readonly string[];
  readonly headerBrand: string;
  readonly loginConfirmation: 'new-device' | 'never';
  readonly readyFile: string | undefined;
  readonly allowedOrigins: readonly string[];
  readonly forbiddenWords: readonly string[];
  readonly logLevel: LogLevel;
  readonly databaseCheck: DatabaseCheck;
  readonly leastFreeBytes: number;
  readonly allowUnsafeDatabase: boolean;
  readonly trustedProxies: readonly string[];
  readonly connectionsPerAddress: number;
  readonly limits: Limits;
  readonly failureLimits: FailureLimits;
  readonly rates: RateSettings;
}

export interface ConfigSources {
  /** By name; true where no value was given. */
  readonly flags: Readonly<Record<string, string | true>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A file named explicitly must exist; the default one need not. */
  readonly file?: string;
}

const PREFIX = 'SEALPOST_';
const DEFAULT_FILE = 'sealpost.yaml';
/** Variables of the command line and the tests, which are no settings of the server. */
const FOREIGN = /^(TEST|BENCH|CLI|CONFIG|URL|LOGIN$|BUILD_TOKEN$|NO_)/;

const envName = (name: string): string => PREFIX + name.replaceAll('-', '_').toUpperCase();

/** Each setting with its value and where that came from. */
export function settingValues(mode: Mode, { flags, env, file }: ConfigSources): SettingValue[] {
  const known = new Map(settings.map((s) => [s.name, s]));
  for (const name of Object.keys(flags)) if (!known.has(name)) throw unknownKey(`flag --${name}`, name);
  for (const key of Object.keys(env)) {
    const rest = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
    if (rest === undefined || FOREIGN.test(rest)) continue;
    const name = rest
      .replace(/_FILE$/, '')
      .toLowerCase()
      .replaceAll('_', '-');
    if (!known.has(name) && !known.has(rest.toLowerCase().replaceAll('_', '-'))) throw unknownKey(key, name);
  }
  const path = file ?? DEFAULT_FILE;
  const fromFile = readFile(path, file !== undefined);
  for (const name of Object.keys(fromFile)) if (!known.has(name)) throw unknownKey(`${name} in ${path}`, name);

  return settings.map((s) => {
    const [value, source] = readSetting(s, mode, flags, env, fromFile, path);
    const { name, doc, secret = false, values } = s;
    const given: SettingValue = { name, value, source, secret, doc, ...(values && { values }) };
    if (values && !values.includes(value)) throw refused(given, `one of ${values.join(', ')}`);
    return given;
  });
}

function readSetting(
  s: Setting,
  mode: Mode,
  flags: ConfigSources['flags'],
  env: ConfigSources['env'],
  file: Record<string, string>,
  path: string,
): [value: string, source: string] {
  const variable = envName(s.name);
  const flag = flags[s.name];
  if (flag === true && !s.values?.includes('true')) throw new ConfigError(`--${s.name} needs a value: ${s.doc}.`);
  if (flag !== undefined) return [String(flag), `flag --${s.name}`];
  const direct = env[variable];
  if (direct !== undefined) return [direct, variable];
  const secretFile = s.name.endsWith('-file') ? undefined : env[`${variable}_FILE`];
  if (secretFile !== undefined) {
    try {
      return [readFileSync(secretFile, 'utf8').trim(), `${variable}_FILE`];
    } catch (error) {
      throw new ConfigError(`${variable}_FILE names ${secretFile}, which cannot be read: ${(error as Error).message}`);
    }
  }
  const inFile = file[s.name];
  if (inFile !== undefined) return [inFile, path];
  return [typeof s.fallback === 'string' ? s.fallback : s.fallback[mode], 'default'];
}

function readFile(path: string, required: boolean): Record<string, string> {
  if (!existsSync(path)) {
    if (required) throw new ConfigError(`there is no config file ${path}. Name another one with --config, or none.`);
    return {};
  }
  // Loaded for those that have a file; it takes some memory.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    // The lines after the first show the text of the file, which may hold secrets.
    const [problem = ''] = (error as Error).message.split('\n');
    throw new ConfigError(`the config file ${path} cannot be read: ${problem.replace(/:$/, '')}`);
  }
  if (typeof content !== 'object' || Array.isArray(content))
    throw new ConfigError(`${path} must hold settings as "name: value"`);
  return Object.fromEntries(
    Object.entries(content as object).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : String(value ?? ''),
    ]),
  );
}

function unknownKey(where: string, name: string): ConfigError {
  const near = settings.map((s) => s.name).find((known) => isNear(known, name));
  return new ConfigError(
    `unknown setting: ${where}.${near ? ` Did you mean ${near}?` : ' `sealpost config` lists all settings.'}`,
  );
}

const MOST_BYTES = 2 ** 50;

/** Same letters but for two edits at most, by the usual table. */
function isNear(a: string, b: string): boolean {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return (row.at(-1) as number) <= 2;
}

const itemsOf = ({ value }: SettingValue): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

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

/** @throws ConfigError */
export function loadConfig(mode: Mode, sources: ConfigSources): Config {
  const values = new Map(settingValues(mode, sources).map((given) => [given.name, given]));
  const of = (name: string): SettingValue => values.get(name) as SettingValue;
  const text = (name: string): string => of(name).value;
  const some = (name: string): string | undefined => text(name) || undefined;
  const items = (name: string): string[] => itemsOf(of(name));
  const dataDir = folder(of('data-dir'));
  const config: Config = {
    mode,
    host: text('host'),
    port: integer(of('port'), 0, 65535),
    dataDir,
    dataDirIsFound: ['default', DEFAULT_FILE].includes(of('data-dir').source),
    database: databaseOf(of('database-url'), dataDir),
    busUrl: busUrlOf(of('bus-url')),
    objects: objectsOf(of, dataDir),
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
    publicUrl: httpAddress(of('public-url'), 'https://chat.example.org'),
    trustedProxies: proxiesOf(of('trusted-proxies')),
    adminToken: some('admin-token'),
    signature: text('signature') as SignatureMode,
    buildTokens: items('build-tokens'),
    headerBrand: text('header-brand'),
    loginConfirmation: text('login-confirmation') as Config['loginConfirmation'],
    readyFile: some('ready-file'),
    allowedOrigins: originsOf(of('allowed-origins')),
    forbiddenWords: items('forbidden-words').map((word) => word.normalize('NFKC').toLowerCase()),
    logLevel: text('log-level') as LogLevel,
    databaseCheck: text('database-check') as DatabaseCheck,
    leastFreeBytes: integer(of('least-free-bytes'), 0, MOST_BYTES),
    allowUnsafeDatabase: text('allow-unsafe-database') === 'true',
    connectionsPerAddress: integer(of('connections-per-address'), 1, 1_000_000),
    limits: limitsOf(of),
    failureLimits: failureLimitsOf(of),
    rates: Object.fromEntries(rateEntries.map(([name]) => [name, rateOf(of(`rate-${name}`))])),
  };
  requireConsistent(config, of);
  return config;
}

function requireConsistent(config: Config, of: (name: string) => SettingValue): void {
  const allowPlainHttp = of('allow-plain-http').value === 'true';
  const loopback = isLoopback(config.host);
  if (config.mode === 'dev' && !loopback) {
    throw new ConfigError(
      `dev mode has known passwords and listens on loopback only, not on ${config.host}. Use \`sealpost serve\`.`,
    );
  }
  if (!loopback && !allowPlainHttp && !config.publicUrl?.startsWith('https://')) {
    throw new ConfigError(
      `${config.host} is reachable by others and this server speaks plain http. Put a proxy with https in front and set --public-url https://…, or accept it with --allow-plain-http true.`,
    );
  }
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
  if (of('registration').value === 'open')
    throw new ConfigError('registration is "open", which this version cannot do yet; use "invite" or "closed".');
  if (config.buildTokens.length === 0) throw new ConfigError('build-tokens is empty: no client could sign a request.');
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

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));

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
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return { kind: 'postgres', url };
  throw refused(given, 'sqlite:<file>, or postgres://<user>:<password>@<host>/<database>');
}

/** The limits that this server enforces. */
function limitsOf(of: (name: string) => SettingValue): Limits {
  const changed = settableLimits.map((name) => {
    const { least, most } = ranges[name];
    return [name, { value: integer(of(limits[name].setting), least, most) * unitOf(name) }];
  });
  return { ...limits, ...(Object.fromEntries(changed) as Pick<Limits, SettableLimit>) };
}

function failureLimitsOf(of: (name: string) => SettingValue): FailureLimits {
  const entries = failureNames.map((name) => [name, failureLimitOf(of(failureSetting(name)))]);
  return Object.fromEntries(entries) as FailureLimits;
}

function failureLimitOf(given: SettingValue): FailureLimits[keyof FailureLimits] {
  const parts = /^(\d{1,9})\/(\d{1,9})\+(\d{1,9})\.\.(\d{1,9})$/.exec(given.value)?.slice(1).map(Number);
  const [free = 0, windowSec = 0, delaySec = 0, longestDelaySec = 0] = parts ?? [];
  if (free >= 1 && delaySec >= 1 && longestDelaySec >= delaySec && windowSec >= longestDelaySec) {
    return { free, windowSec, delaySec, longestDelaySec };
  }
  throw refused(given, 'free/window+delay..longest delay in seconds, for example 10/86400+60..1200');
}

function rateOf(given: SettingValue): { burst: number; perSecond: number } {
  const [burst, perSecond] = given.value.split('+').map(Number);
  if (burst !== undefined && perSecond !== undefined && burst >= 1 && perSecond > 0) return { burst, perSecond };
  throw refused(given, 'burst+per second, for example 2000+100');
}
