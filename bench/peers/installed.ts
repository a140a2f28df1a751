// Tells which servers of other projects are installed, and how to install those that are not.
import { spawnSync } from 'node:child_process';

/** ejabberd talks to PostgreSQL with a package of its own, which it only suggests. */
const PACKAGES = ['ejabberd', 'erlang-p1-pgsql', 'prosody'] as const;

/** Returns the versions of the packages. Throws if one of them is missing. */
export function installedVersions(): Readonly<Record<(typeof PACKAGES)[number], string>> {
  const versions = PACKAGES.map((name) => [name, versionOf(name)] as const);
  const missing = versions.filter(([, version]) => version === undefined).map(([name]) => name);
  if (missing.length > 0)
    throw new Error(
      `This bench needs servers of other projects, and installs none. On Debian, as root:\n` +
        `  apt-get install --no-install-recommends ${missing.join(' ')}\n` +
        `It starts them itself, so the services of the system can be off.`,
    );
  return Object.fromEntries(versions) as ReturnType<typeof installedVersions>;
}

function versionOf(name: string): string | undefined {
  const { stdout } = spawnSync('dpkg-query', ['--status', name], { encoding: 'utf8' });
  if (!/^Status: .* installed$/m.test(stdout ?? '')) return undefined;
  return /^Version: (.*)$/m.exec(stdout)?.[1];
}
