// What commands take from their surroundings: variables, and the settings of a server on this machine.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CliError, exitCodes } from './exit-codes.ts';
import { serverOf } from './local-server.ts';

const DEFAULT_PORT = '8787';
const DEFAULT_DATA_DIR = './data';
const SETTINGS_FILE = 'sealpost.yaml';

/** The address to use if nothing names one: that of the server of the data folder, else the server's default. */
export function defaultUrl(dataDir?: string): string {
  const server = serverOf(dataDirectory(dataDir));
  if (server) return server.url;
  const port = serverSetting('port');
  return `http://127.0.0.1:${port && port !== '0' ? port : DEFAULT_PORT}`;
}

/** The build token for signatures: the client's variable, else the first of the server's list. */
export const buildTokenFromEnvironment = (): string | undefined =>
  process.env.SEALPOST_BUILD_TOKEN ?? process.env.SEALPOST_BUILD_TOKENS?.split(',')[0];

/** The folder where a server on this machine keeps its data: as given, else as that server is set. */
export const dataDirectory = (given?: string): string => given ?? serverSetting('data-dir') ?? DEFAULT_DATA_DIR;

/** A setting of a server that is started in this folder, as far as this process can tell. */
export function serverSetting(name: string): string | undefined {
  const fromEnvironment = process.env[`SEALPOST_${name.replaceAll('-', '_').toUpperCase()}`];
  if (fromEnvironment) return fromEnvironment;
  if (!existsSync(SETTINGS_FILE)) return undefined;
  // Loaded for those that have a file.
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
