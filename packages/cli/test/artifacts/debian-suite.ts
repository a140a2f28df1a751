// Installs the Debian package in a clean root, uses it, upgrades it with its data, and removes it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fillOlder, rowsIn, versions } from '@sealpost/dev-env/older-schema';
import { type CleanRoot, enterRoot, unitLines } from './clean-root.ts';
import { type Installed, meet, type RunningServer, read, send, serve, use } from './installed.ts';

const UNIT = 'usr/lib/systemd/system/sealpost.service';
const SETTINGS = 'etc/sealpost/sealpost.yaml';
/** The highest exposure that the unit may have, on the scale from 0 to 10 of systemd-analyze. */
const MOST_EXPOSURE = 2;
const DATABASE = 'sealpost.db';
/** The version of the schema before retention and invites. Everything that the test uses was there. */
const OLDER_SCHEMA = 19;

export interface Packages {
  readonly root: string;
  readonly older: { readonly file: string; readonly version: string };
  readonly newer: { readonly file: string; readonly version: string };
}

/** Returns the words that start the server as the unit does: with its user, folder, variables and credentials. */
function unitCommand({ folder }: CleanRoot): string[] {
  const unit = unitLines(join(folder, UNIT));
  const [user = ''] = unit.get('User') ?? [];
  const [group = ''] = unit.get('Group') ?? [];
  const [place = ''] = unit.get('WorkingDirectory') ?? [];
  const [command = ''] = unit.get('ExecStart') ?? [];
  const owner = ownerOf(folder, 'var/lib/sealpost');
  for (const name of unit.get('CacheDirectory') ?? []) makeFor(owner, join(folder, 'var/cache', name));
  const credentials = 'run/credentials-of-the-test';
  makeFor(owner, join(folder, credentials));
  for (const credential of unit.get('LoadCredential') ?? []) {
    const [name = '', from = ''] = credential.split(':');
    const file = join(folder, credentials, name);
    cpSync(join(folder, from), file);
    chownSync(file, owner.uid, owner.gid);
  }
  const variables = (unit.get('Environment') ?? []).map((line) => line.replaceAll('%d', `/${credentials}`));
  const script = 'cd "$1" && shift && exec env -i "$@"';
  const run = ['/bin/sh', '-c', script, 'sh', place, ...variables, ...command.split(' ')];
  return ['chroot', `--userspec=${user}:${group}`, folder, ...run];
}

function ownerOf(folder: string, path: string): { uid: number; gid: number; mode: number } {
  const { uid, gid, mode } = statSync(join(folder, path));
  return { uid, gid, mode: mode & 0o777 };
}

function makeFor({ uid, gid }: { uid: number; gid: number }, folder: string): void {
  mkdirSync(folder, { recursive: true });
  chownSync(folder, uid, gid);
}

/** The command in a root, run by the user of the server. */
const installedIn = (folder: string): Installed => ({
  words: (env, args) => [
    ...['chroot', '--userspec=sealpost:sealpost', folder, '/usr/bin/env', '-i'],
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...['/usr/bin/sealpost', ...args],
  ],
  env: {
    SEALPOST_DATA_DIR: '/var/lib/sealpost',
    SEALPOST_CONFIG_DIR: '/tmp/logins',
    SEALPOST_BUILD_TOKEN: readFileSync(join(folder, 'etc/sealpost/build-tokens'), 'utf8'),
  },
  dataDir: join(folder, 'var/lib/sealpost'),
});

/** Gives the database of a stopped server the tables of the older version, with the same rows. */
async function makeOlder(dataDir: string): Promise<void> {
  const owner = statSync(join(dataDir, DATABASE));
  const sources = { flags: { 'data-dir': dataDir }, env: {} };
  const rows = await rowsIn(sources);
  for (const name of globSync(`${DATABASE}*`, { cwd: dataDir })) rmSync(join(dataDir, name));
  await fillOlder(sources, OLDER_SCHEMA, rows);
  for (const name of globSync(`${DATABASE}*`, { cwd: dataDir })) chownSync(join(dataDir, name), owner.uid, owner.gid);
}

function schemaOf(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, DATABASE), { readOnly: true });
  const row = database.prepare('select max(version) as version from schema_version').get();
  database.close();
  return Number(row?.version);
}

/** Adds the tests of the Debian package. */
export function testDebianPackage(packages: () => Packages): void {
  let root: CleanRoot;
  let installed: Installed;
  let server: RunningServer;

  function dpkg(...words: readonly string[]): void {
    const { code, out } = root.run('dpkg', ...words);
    assert.equal(code, 0, out);
  }
  const install = (file: string): void => dpkg('--install', root.take(file));
  const start = async (): Promise<void> => {
    server = await serve(unitCommand(root), installed);
  };

  test('the package makes a user, a folder and a secret that nobody else reads, and enables its unit', () => {
    root = enterRoot(packages().root);
    install(packages().older.file);
    installed = installedIn(root.folder);
    const { uid, gid } = ownerOf(root.folder, 'var/lib/sealpost');
    assert.deepEqual(ownerOf(root.folder, 'var/lib/sealpost'), { uid, gid, mode: 0o700 });
    assert.deepEqual(ownerOf(root.folder, 'etc/sealpost'), { uid: 0, gid, mode: 0o750 });
    assert.deepEqual(ownerOf(root.folder, SETTINGS), { uid: 0, gid, mode: 0o640 });
    assert.deepEqual(ownerOf(root.folder, 'etc/sealpost/build-tokens'), { uid: 0, gid, mode: 0o640 });
    assert.match(installed.env.SEALPOST_BUILD_TOKEN ?? '', /^[0-9a-f]{48}$/);
    assert.match(root.run('id', 'sealpost').out, new RegExp(`^uid=${uid}\\(sealpost\\) gid=${gid}\\(sealpost\\)`));
    assert.equal(globSync('etc/systemd/system/*.wants/sealpost.service', { cwd: root.folder }).length, 1);
    assert.equal(root.run('dpkg', '--verify', 'sealpost').out, '');
  });

  test('the unit is hardened', () => {
    const args = ['security', '--offline=true', join(root.folder, UNIT)];
    const out = execFileSync('systemd-analyze', args, { encoding: 'utf8' });
    const [, exposure] = /Overall exposure level for sealpost\.service: ([\d.]+)/.exec(out) ?? [];
    assert.ok(Number(exposure) <= MOST_EXPOSURE, out);
  });

  test('its server runs as the user of the unit, and people write to each other', async () => {
    // A test cannot have the usual port. This change of the operator must outlive the upgrade.
    const settings = join(root.folder, SETTINGS);
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('port: 8787', 'port: 0'));
    await start();
    meet(installed);
    send(installed, ['ann', 'bob'], 'before the restart');
    assert.deepEqual(read(installed, ['bob', 'ann']), ['before the restart']);
  });

  test('SIGTERM ends it with 0, and the next start has the data', async () => {
    assert.equal(await server.end('SIGTERM'), 0);
    await start();
    send(installed, ['bob', 'ann'], 'before the upgrade');
    assert.deepEqual(read(installed, ['ann', 'bob']), ['before the restart', 'before the upgrade']);
    assert.equal(await server.end('SIGTERM'), 0);
  });

  test('an upgrade of the package and of an older schema keeps settings, secrets, data and logins', async () => {
    const { older, newer } = packages();
    const secret = installed.env.SEALPOST_BUILD_TOKEN;
    assert.equal(use(installed, ['--version']).trim(), older.version);
    // The older package is made from the sources of today. What its people wrote gets the tables of an older version.
    await makeOlder(installed.dataDir);
    assert.equal(schemaOf(installed.dataDir), OLDER_SCHEMA);
    install(newer.file);
    installed = installedIn(root.folder);
    assert.equal(use(installed, ['--version']).trim(), newer.version);
    assert.equal(installed.env.SEALPOST_BUILD_TOKEN, secret);
    assert.match(readFileSync(join(root.folder, SETTINGS), 'utf8'), /^port: 0$/m);
    await start();
    assert.equal(schemaOf(installed.dataDir), versions.at(-1));
    send(installed, ['ann', 'bob'], 'after the upgrade');
    assert.deepEqual(read(installed, ['bob', 'ann']), [
      'before the restart',
      'before the upgrade',
      'after the upgrade',
    ]);
    assert.equal(await server.end('SIGKILL'), 'SIGKILL');
  });

  test('installing it once more changes nothing', () => {
    const before = listing();
    install(packages().newer.file);
    assert.deepEqual(listing(), before);
  });

  test('removing it keeps settings and data, which a new installation finds again', async () => {
    dpkg('--remove', 'sealpost');
    assert.ok(!existsSync(join(root.folder, 'usr/lib/sealpost')));
    assert.ok(existsSync(join(root.folder, SETTINGS)));
    install(packages().newer.file);
    await start();
    assert.equal(read(installed, ['bob', 'ann']).length, 3);
    assert.equal(await server.end('SIGTERM'), 0);
  });

  test('purging it leaves nothing', () => {
    dpkg('--purge', 'sealpost');
    const left = ['etc/**/*sealpost*', 'usr/**/*sealpost*', 'var/lib/*sealpost*', 'var/cache/*sealpost*'];
    assert.deepEqual(globSync(left, { cwd: root.folder }), []);
    assert.notEqual(root.run('id', 'sealpost').code, 0);
  });

  /** Returns the owners and modes of settings and data. */
  const listing = () =>
    globSync('{etc/sealpost,var/lib/sealpost}/*', { cwd: root.folder })
      .sort()
      .map((path) => [path, ownerOf(root.folder, path)]);
}
