/** Error for a setting that cannot be used. The message names the setting and its value, and says what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
