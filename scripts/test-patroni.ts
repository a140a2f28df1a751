// Finds what a highly available database needs: Patroni, etcd, HAProxy, and PostgreSQL with all its programs.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandPath, howToInstall } from './debian-packages.ts';
import type { Service } from './test-services.ts';

const COMMANDS = ['patroni', 'etcd', 'haproxy', 'psql'];
/** The folder in which Debian has a folder for each version of PostgreSQL. */
const VERSIONS = '/usr/lib/postgresql';

/** Returns the folder with the programs of the newest PostgreSQL; undefined if there is none. */
function postgresPrograms(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : [];
  return versions
    .sort((one, other) => other - one)
    .map((version) => join(VERSIONS, String(version), 'bin'))
    .find((folder) => ['postgres', 'pg_rewind'].every((program) => existsSync(join(folder, program))));
}

/** Returns the names of the programs that are not installed. */
export const missingForPatroni = (): string[] => [
  ...COMMANDS.filter((command) => commandPath(command) === undefined),
  ...(postgresPrograms() === undefined ? ['postgres'] : []),
];

/** Returns as address the folder with the programs of PostgreSQL. @throws Error if a program is missing */
export async function findPatroni(named: string | undefined): Promise<Service> {
  const missing = missingForPatroni().filter((program) => named === undefined || program !== 'postgres');
  if (missing.length > 0) throw new Error(`no ${missing.join(', ')}; ${howToInstall('patroni')}`);
  const folder = named ?? (postgresPrograms() as string);
  return { url: folder, from: `${COMMANDS.slice(0, -1).join(', ')}, PostgreSQL in ${folder}`, stop: async () => {} };
}
