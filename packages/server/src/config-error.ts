/** A setting that cannot be used; the message says which, the value seen and what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export function integer(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most && text.trim() !== '') return value;
  throw new ConfigError(`${name} is ${JSON.stringify(text)}; it must be a whole number from ${least} to ${most}.`);
}
