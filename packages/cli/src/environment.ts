// The values that commands read from their environment: variables, and the settings of a server on this machine.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CliError, exitCodes } from './exit-codes.ts';
import { serverOf } from './local-server.ts';

const DEFAULT_PORT = '8787';
const DEFAULT_DATA_DIR = './data';
const SETTINGS_FILE = 'sealpost.yaml';

/**
 * Returns the address to use if the user names none. If a server runs on the data folder, this is its address.
 * Otherwise it is the address that a server with the current settings would have.
 */
export function defaultUrl(dataDir?: string): string {
  const server = serverOf(dataDirectory(dataDir));
  if (server) return server.url;
  const port = serverSetting('port');
  return `http://127.0.0.1:${port && port !== '0' ? port : DEFAULT_PORT}`;
}

/**
 * Returns the build token for signatures: the value of SEALPOST_BUILD_TOKEN, otherwise the first token in the server's
 * variable SEALPOST_BUILD_TOKENS.
 */
export const buildTokenFromEnvironment = (): string | undefined =>
  process.env.SEALPOST_BUILD_TOKEN ?? process.env.SEALPOST_BUILD_TOKENS?.split(',')[0];

/**
 * Returns the folder where a server on this machine keeps its data: the given folder, otherwise the folder in the
 * server's settings.
 */
export const dataDirectory = (given?: string): string => given ?? serverSetting('data-dir') ?? DEFAULT_DATA_DIR;

/** Returns the value that a server started in the current folder would use for a setting, unless a flag changes it. */
export function serverSetting(name: string): string | undefined {
  const fromEnvironment = process.env[`SEALPOST_${name.replaceAll('-', '_').toUpperCase()}`];
  if (fromEnvironment) return fromEnvironment;
  if (!existsSync(SETTINGS_FILE)) return undefined;
  // The YAML parser is loaded only if there is a settings file.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  try {
    const value = (parse(readFileSync(SETTINGS_FILE, 'utf8')) as Record<string, unknown> | null)?.[name];
    return value === undefined || value === null || value === '' ? undefined : String(value);
  } catch (error) {
    const [problem = ''] = (error as Error).message.split('\n');
    throw new CliError(`${SETTINGS_FILE} cannot be read: ${problem}`, exitCodes.usage);
  }
}

export function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text.replace(/\/+$/, '');
  throw new CliError(`"${text}" is not an address: use a form like http://127.0.0.1:8787.`, exitCodes.usage);
}
