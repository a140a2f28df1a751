// Reads the values of settings. If several sources have a value, the first of these counts: flag, environment variable,
// config file, default.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ConfigError } from '../../platform/kernel/config-error.ts';
import type { Mode, Setting } from './setting.ts';
import { refused, type SettingValue } from './setting-value.ts';
import { settings } from './settings.ts';

export interface ConfigSources {
  /** The values of flags by name; true for a flag without a value. */
  readonly flags: Readonly<Record<string, string | true>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * The path of the config file, which must exist; null if no file is read. If absent, `sealpost.yaml` is read if it
   * exists.
   */
  readonly file?: string | null;
  /** What a command calls a flag that it set from an argument or option of its own, by the name of the flag. */
  readonly calledBy?: Readonly<Record<string, string>>;
}

const PREFIX = 'SEALPOST_';
export const DEFAULT_FILE = 'sealpost.yaml';
/**
 * Matches the names, without the prefix, of variables for client commands and tests. These variables are not settings
 * of the server.
 */
const FOREIGN = /^(TEST|BENCH|CLI|CONFIG|URL|LOGIN$|BUILD_TOKEN$|BACKUP_S3_|NO_)/;

const envName = (name: string): string => PREFIX + name.replaceAll('-', '_').toUpperCase();

/** Returns each setting with its value and the source of the value. */
export function settingValues(mode: Mode, { flags, env, file, calledBy = {} }: ConfigSources): SettingValue[] {
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
  const fromFile = file === null ? {} : readFile(path, file !== undefined);
  for (const name of Object.keys(fromFile)) if (!known.has(name)) throw unknownKey(`${name} in ${path}`, name);

  return settings.map((s) => {
    const [value, source] = readSetting(s, mode, flags, env, fromFile, path);
    const { name, doc, secret = false, values } = s;
    const called = calledBy[name];
    const given: SettingValue = {
      ...{ name, value, source, secret, doc },
      ...(values && { values }),
      ...(called !== undefined && { called }),
    };
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
  // The YAML parser takes some memory, so it is loaded only if there is a file.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    // Only the first line of the message is shown, because later lines quote the file, which may contain secrets.
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

/** Returns true if two words differ by at most two edits. Each `row` is a row of the usual table of edit distances. */
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
