// Makes what an operator installs, with the script that makes it for a release, and uses each artifact as an operator
// does.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeCleanRoot } from './artifacts/clean-root.ts';
import { testDebianPackage } from './artifacts/debian-suite.ts';
import { testImage } from './artifacts/image-suite.ts';
import { testTarball } from './artifacts/tarball-suite.ts';

const root = join(import.meta.dirname, '../../..');
const skip = process.env.SEALPOST_TEST_ARTIFACTS ? false : 'set SEALPOST_TEST_ARTIFACTS, as `npm test artifacts` does';
/** A version from which the test upgrades. */
const OLDER = '0.0.1';
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Runs the script, and waits for its end. */
async function make(...args: readonly string[]): Promise<void> {
  const words = [join(root, 'scripts/artifacts.ts'), '--quick', ...args];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (part) => (errors += part));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the script ended with ${code}: ${errors}`);
}

test('--help prints how to use the script, and makes nothing', () => {
  const words = [join(root, 'scripts/artifacts.ts'), '--help'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^`npm run artifacts -- \[--version <version>\] .* With --quick, files are larger\.\n$/s);
});

describe('what an operator installs', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-artifacts-'));
  const debianRoot = join(folder, 'debian');
  const output = join(folder, 'output');

  before(async () => {
    mkdirSync(output);
    const making = makeCleanRoot(debianRoot);
    await make('--version', OLDER, '--only', 'debian', '--architectures', 'amd64', '--output', output);
    await make('--output', output);
    await making;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const debianOf = (one: string) => ({ version: one, file: join(output, `sealpost_${one}_amd64.deb`) });
  describe('the Debian package', () => {
    testDebianPackage(() => ({ root: debianRoot, older: debianOf(OLDER), newer: debianOf(version) }));
  });
  describe('the image', () => {
    testImage(() => ({ version, file: join(output, `sealpost-${version}-image.tar`) }));
  });
  describe('the tarball', () => {
    testTarball(() => ({ version, file: join(output, `sealpost-${version}-linux-amd64.tar.gz`) }));
  });
});
