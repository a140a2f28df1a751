// Variables that commands read. Those of the client are documented in docs/cli.md; the rest are the server's settings.

/** The client's own; the server does not know them and would take them for misspelt settings. */
export const clientVariables = [
  'SEALPOST_URL',
  'SEALPOST_PROFILE',
  'SEALPOST_PASSWORD',
  'SEALPOST_BUILD_TOKEN',
  'SEALPOST_CONFIG_DIR',
  'SEALPOST_KEYS_PASSPHRASE',
  'SEALPOST_RECOVERY_PASSPHRASE',
] as const;

const DEFAULT_PORT = '8787';

/** The address to use if neither an option nor a profile names one. */
export function defaultUrl(): string {
  const port = process.env.SEALPOST_PORT;
  return process.env.SEALPOST_URL ?? `http://127.0.0.1:${port && port !== '0' ? port : DEFAULT_PORT}`;
}

/** The build token for signatures: the client's variable, else the first of the server's list. */
export const buildTokenFromEnvironment = (): string | undefined =>
  process.env.SEALPOST_BUILD_TOKEN ?? process.env.SEALPOST_BUILD_TOKENS?.split(',')[0];

/** Where a server on this machine keeps its data, as far as this process can tell. */
export const dataDirectory = (): string => process.env.SEALPOST_DATA_DIR ?? './data';
