// Unpacks the tarball anywhere and uses it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Installed, meet, read, send, serve, use } from './installed.ts';

/** Adds the tests of the tarball. */
export function testTarball(tarball: () => { readonly file: string; readonly version: string }): void {
  // The name has a space, as folders of people have.
  const folder = mkdtempSync(join(tmpdir(), 'sealpost tarball-'));
  const program = join(folder, 'sealpost');
  const installed: Installed = {
    words: (env, args) => [
      ...['/usr/bin/env', '-i'],
      ...Object.entries({ PATH: '/usr/bin:/bin', ...env }).map(([name, value]) => `${name}=${value}`),
      ...[program, ...args],
    ],
    env: { SEALPOST_DATA_DIR: join(folder, 'data'), SEALPOST_CONFIG_DIR: join(folder, 'logins') },
    dataDir: join(folder, 'data'),
  };
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('the tarball has one folder, and its command runs through a link, without another Node', () => {
    const { file, version } = tarball();
    execFileSync('tar', ['-xzf', file, '-C', folder]);
    const [unpacked = '', ...others] = globSync('*', { cwd: folder });
    assert.deepEqual(others, []);
    symlinkSync(join(folder, unpacked, 'bin/sealpost'), program);
    assert.equal(use(installed, ['--version']).trim(), version);
    const share = join(folder, unpacked, 'share');
    assert.match(readFileSync(join(share, 'bash-completion/completions/sealpost'), 'utf8'), /complete /);
    for (const path of ['man/man1/sealpost.1.gz', 'doc/sealpost/sbom.cdx.json', 'doc/sealpost/examples/sealpost.yaml'])
      assert.ok(existsSync(join(share, path)), path);
  });

  test('its server takes messages, ends at SIGTERM, and has them at its next start', async () => {
    mkdirSync(installed.dataDir, { mode: 0o700 });
    const words = installed.words(installed.env, ['serve', '--port', '0']);
    const first = await serve(words, installed);
    meet(installed);
    send(installed, ['ann', 'bob'], 'from a tarball');
    assert.equal(await first.end('SIGTERM'), 0);
    const second = await serve(words, installed);
    assert.deepEqual(read(installed, ['bob', 'ann']), ['from a tarball']);
    assert.equal(await second.end('SIGTERM'), 0);
  });
}
