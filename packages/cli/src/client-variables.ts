// The environment variables of the client, documented in docs/cli.md.

/** The variables that the server does not know, and would take for misspelt settings. */
export const clientVariables = [
  'SEALPOST_URL',
  'SEALPOST_LOGIN',
  'SEALPOST_PASSWORD',
  'SEALPOST_BUILD_TOKEN',
  'SEALPOST_CONFIG_DIR',
  'SEALPOST_KEYS_PASSPHRASE',
  'SEALPOST_RECOVERY_PASSPHRASE',
] as const;
