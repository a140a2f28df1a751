/** A setting that cannot be used; the message says which, the value seen and what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
