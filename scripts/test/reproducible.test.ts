// Packages of the same files have the same bytes, whoever makes them, where and when.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandPath, howToInstall } from '../debian-packages.ts';
import { architectureOf } from '../packaging/artifacts/architecture.ts';
import { writeDebianPackage } from '../packaging/artifacts/debian-package.ts';
import { setModes } from '../packaging/artifacts/reproducible.ts';
import { writeTarball } from '../packaging/artifacts/tarball.ts';

const root = join(import.meta.dirname, '../..');
const missing = commandPath('dpkg-deb') === undefined && `no dpkg-deb on the path; ${howToInstall('artifacts')}`;
const skip = process.env.CI === 'true' ? false : missing;
const TIME = 1_780_000_000;
const command = { version: '1.2.3' };
const files = ['lib/sealpost/b.js', 'lib/sealpost/a.js', 'share/doc/sealpost/examples/note'];

/** Packs the same files once, with this umask and time zone. Returns the hash of each package. */
function pack(umask: number, zone: string, order: readonly string[], fileTime: number): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-reproducible-'));
  const before = { umask: process.umask(umask), zone: process.env.TZ };
  process.env.TZ = zone;
  try {
    const prefix = join(folder, 'amd64');
    for (const path of order) {
      mkdirSync(join(prefix, path, '..'), { recursive: true });
      writeFileSync(join(prefix, path), path);
      utimesSync(join(prefix, path), fileTime, fileTime);
    }
    setModes(prefix);
    const source = { root, command, time: TIME };
    const amd64 = architectureOf('amd64');
    const made = [
      writeDebianPackage(source, amd64, prefix, folder, ['-Zgzip', '-z1']),
      writeTarball(source, amd64, prefix, folder, 1),
    ];
    return made.map((file) => createHash('sha256').update(readFileSync(file)).digest('hex'));
  } finally {
    process.umask(before.umask);
    if (before.zone === undefined) delete process.env.TZ;
    else process.env.TZ = before.zone;
    rmSync(folder, { recursive: true, force: true });
  }
}

test('packing the same files under another umask, zone, order and time gives the same bytes', { skip }, () => {
  const first = pack(0o022, 'UTC', files, TIME + 10);
  assert.deepEqual(pack(0o077, 'Asia/Tokyo', files.toReversed(), TIME + 90_000_000), first);
});
