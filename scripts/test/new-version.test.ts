// Tests the parts of a release that change the repository.
import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isVersion, nextVersion, releasedChangelog, sectionOf, setVersions } from '../packaging/new-version.ts';

const root = join(import.meta.dirname, '../..');

test('a version is named, or follows from the current one', () => {
  const next = ['patch', 'minor', 'major', '3.0.0', '3.0.0-rc.1'].map((wanted) => nextVersion('1.2.3', wanted));
  assert.deepEqual(next, ['1.2.4', '1.3.0', '2.0.0', '3.0.0', '3.0.0-rc.1']);
  assert.deepEqual([...next, 'next', '1.2', 'v1.2.3'].map(isVersion), [...next.map(() => true), false, false, false]);
});

test('what is unreleased moves below the version', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [1.0.0] - 2026-01-01\n\n- First.\n';
  const released = releasedChangelog(changelog, '1.1.0', '2026-02-03');
  assert.equal(
    released,
    '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-02-03\n\n- New.\n\n## [1.0.0] - 2026-01-01\n\n- First.\n',
  );
  assert.equal(sectionOf(released, '1.1.0'), '## [1.1.0] - 2026-02-03\n\n- New.\n');
  assert.equal(sectionOf(released, '1.0.0'), '## [1.0.0] - 2026-01-01\n\n- First.\n');
  assert.throws(() => releasedChangelog('# Changelog\n', '1.1.0', '2026-02-03'), /has no "## \[Unreleased\]"/);
});

test('the changelog of this project can be released', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  assert.match(sectionOf(releasedChangelog(changelog, '99.0.0', '2026-02-03'), '99.0.0'), /^- /m);
});

test('all packages get the version, and so does every dependency on them', () => {
  const copy = mkdtempSync(join(tmpdir(), 'sealpost-version-'));
  const files = ['package.json', 'package-lock.json', ...globSync('packages/*/package.json', { cwd: root })];
  for (const path of files) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), readFileSync(join(root, path)));
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  setVersions(copy, '98.7.6');
  for (const path of files) {
    const changed = readFileSync(join(copy, path), 'utf8');
    assert.equal(JSON.parse(changed).version, '98.7.6', path);
    // Each line must be unchanged, or differ only in the version.
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    for (const [at, line] of changed.split('\n').entries())
      assert.ok(line === lines[at] || line === lines[at]?.replace(version, '98.7.6'), `${path}: ${line}`);
    assert.doesNotMatch(changed, new RegExp(`"(@sealpost/[a-z-]+|sealpost)": "${version}"`), path);
  }
  rmSync(copy, { recursive: true });
});
