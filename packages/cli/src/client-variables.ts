// The environment variables of the client, documented in docs/cli.md.

/**
 * Environment variables that the server does not know. They are removed before the server starts, because the server
 * would report them as misspelt settings.
 */
export const clientVariables = [
  'SEALPOST_URL',
  'SEALPOST_LOGIN',
  'SEALPOST_PASSWORD',
  'SEALPOST_BUILD_TOKEN',
  'SEALPOST_CONFIG_DIR',
  'SEALPOST_KEYS_PASSPHRASE',
  'SEALPOST_RECOVERY_PASSPHRASE',
] as const;
