// The places that a command of maintenance works with, from the settings of the server and the arguments.
import { ConfigError } from '../platform/kernel/config-error.ts';
import { type Config, loadConfig } from '../start/config/config.ts';
import type { ObjectsConfig } from '../start/config/objects.ts';
import type { ConfigSources } from '../start/config/sources.ts';

/**
 * S3 settings that a backup may have besides those of the server, as flags `backup-s3-…` and variables
 * `SEALPOST_BACKUP_S3_…`.
 */
const OWN = ['endpoint', 'region', 'access-key', 'secret-key', 'path-style'];
const PREFIX = 'backup-s3-';
const OWN_NOTE = 'If the backups have another server or key than the objects, use the settings backup-s3-… instead.';

/** Returns the settings of the server whose data a command works with. */
export const serverConfig = (sources: ConfigSources): Config =>
  loadConfig('serve', { ...sources, flags: withoutOwn(sources.flags) }, { s3Elsewhere: true });

/**
 * Returns the place that an argument names: a folder, or `s3://<bucket>/<prefix>` at the server that the settings of S3
 * name.
 */
export function placeOf(argument: string, sources: ConfigSources): ObjectsConfig {
  const scheme = /^([a-z][a-z0-9+.-]*):/.exec(argument)?.[1];
  if (scheme !== undefined && scheme !== 's3' && scheme !== 'file') {
    throw new ConfigError(`${argument} is neither a folder nor s3://<bucket>/<prefix>.`);
  }
  const url = scheme === undefined ? `file:${argument}` : argument;
  const { flags, env } = sources;
  const given = { name: 'the place of backups', note: OWN_NOTE };
  const own = OWN.flatMap((name) => (flags[PREFIX + name] === undefined ? [] : [[`s3-${name}`, flags[PREFIX + name]]]));
  const { objects } = loadConfig(
    'serve',
    {
      ...sources,
      flags: { ...withoutOwn(flags), ...Object.fromEntries(own), 'objects-url': url },
      env: withOwnVariables(env),
      calledBy: { 'objects-url': given.name },
    },
    { s3Elsewhere: true },
  );
  return objects.kind === 's3' ? { ...objects, given } : objects;
}

const withoutOwn = (flags: ConfigSources['flags']): ConfigSources['flags'] =>
  Object.fromEntries(Object.entries(flags).filter(([name]) => !OWN.some((own) => name === PREFIX + own)));

function withOwnVariables(env: ConfigSources['env']): ConfigSources['env'] {
  const result: Record<string, string | undefined> = { ...env };
  for (const name of OWN) {
    const variable = name.replaceAll('-', '_').toUpperCase();
    for (const ending of ['', '_FILE']) {
      const value = env[`SEALPOST_BACKUP_S3_${variable}${ending}`];
      if (value === undefined) continue;
      // If a variable for the backup is set, both forms of the server's variable are removed. Otherwise, the server's
      // value could override the file of the backup, or the server's file could override the value of the backup.
      delete result[`SEALPOST_S3_${variable}`];
      delete result[`SEALPOST_S3_${variable}_FILE`];
      result[`SEALPOST_S3_${variable}${ending}`] = value;
    }
  }
  return result;
}
