/** Error for a setting that cannot be used. The message tells the setting, its value and what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
