// The given value of a setting, how it is shown to people, and the error for an invalid value.
import { type Stats, statSync } from 'node:fs';
import { ConfigError } from '../../platform/kernel/config-error.ts';

export interface SettingValue {
  readonly name: string;
  readonly value: string;
  /** The source of the value, as messages name it: `flag --port`, `SEALPOST_PORT`, `sealpost.yaml`, `default`. */
  readonly source: string;
  readonly secret: boolean;
  readonly doc: string;
  /** Allowed values; absent if every value is allowed. */
  readonly values?: readonly string[];
  /** What the user gave instead of the setting: an argument or option of a command. Absent for a setting itself. */
  readonly called?: string;
}

const HIDDEN = '(hidden)';
const ADDRESS = /-(url|endpoint)$/;
/**
 * Matches the user and the password in an address, with or without a scheme. The match ends at the last @, because a
 * password may contain this character.
 */
const USER = /^(?!file:|sqlite:)([a-z][a-z0-9+.-]*:\/\/)?.*@/is;
const PASSWORD = /((?:^|[?&\s])[^=&\s]*password\s*=\s*)('[^']*'|[^&\s]*)/gi;

/**
 * Returns the value in a form for terminals and logs. Secrets are hidden, and so are user and password in addresses.
 */
export function shownValue({ name, value, secret }: SettingValue): string {
  if (secret) return value && HIDDEN;
  return ADDRESS.test(name) ? value.replace(USER, `$1${HIDDEN}@`).replace(PASSWORD, `$1${HIDDEN}`) : value;
}

/** @param what what the setting must be; the message ends with it */
export function refused(given: SettingValue, what: string): ConfigError {
  const { called, name, source } = given;
  const seen = JSON.stringify(shownValue(given));
  const told = called === undefined ? `${name} is ${seen} (${source})` : `${called} is ${seen}`;
  return new ConfigError(`${told}; it must be ${what}.`);
}

/** Returns the items of a comma-separated list. */
export const itemsOf = ({ value }: SettingValue): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/**
 * Returns the value as an integer.
 * @throws ConfigError if the value is not an integer between the bounds
 */
export function integer(given: SettingValue, least: number, most: number): number {
  const value = Number(given.value);
  if (Number.isInteger(value) && value >= least && value <= most && given.value.trim() !== '') return value;
  throw refused(given, `a whole number from ${least} to ${most}`);
}

/**
 * Returns an http or https address without a slash at its end; undefined if the setting is empty.
 * @throws ConfigError if the value is anything else
 */
export function httpAddress(given: SettingValue, example: string): string | undefined {
  if (given.value === '') return undefined;
  const url = URL.parse(given.value);
  const plain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (plain) return url.href.replace(/\/+$/, '');
  throw refused(given, `an address like ${example}, without user, password or query`);
}

/**
 * Returns the address of a site, which has no path.
 * @throws ConfigError if the value is anything else
 */
export function siteAddress(given: SettingValue, example: string): string | undefined {
  const address = httpAddress(given, example);
  if (address === undefined || new URL(address).pathname === '/') return address;
  throw refused(given, `an address like ${example}, without a path: clients sign the path of each request`);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A parent folder may be unreadable, or may not be a folder. In this case, the exact reason is reported when the
    // folder is created later.
    return undefined;
  }
}

/**
 * Returns the path of a folder that exists or can be created.
 * @throws ConfigError if the path names something else
 */
export function folder(given: SettingValue): string {
  const found = statOf(given.value);
  if (given.value !== '' && (!found || found.isDirectory())) return given.value;
  throw refused(given, 'a folder, which is made if it is not there');
}
