import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

const runner = join(import.meta.dirname, '../mutants.ts');
const smallest = 'export const smaller = (a: number, b: number): boolean => a < b;\n';
const tests = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smaller } from '../src/smaller.ts';
test('one is smaller than two', () => assert.equal(smaller(1, 2), true));
test('two is not smaller than one', () => assert.equal(smaller(2, 1), false));
`;

describe('npm run mutants', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sealpost-planted-'));
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', root]);
    for (const folder of ['mutants', 'packages/planted/src', 'packages/planted/test', 'tmp'])
      mkdirSync(join(root, folder), { recursive: true });
    write('package.json', '{ "type": "module" }\n');
    write('.gitignore', 'tmp/\n');
    write('packages/planted/src/smaller.ts', smallest);
    write('packages/planted/test/smaller.test.ts', tests);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
  const plant = (mutants: readonly object[]): void => {
    const whole = mutants.map((mutant) => ({
      file: 'packages/planted/src/smaller.ts',
      tests: ['packages/planted/test/smaller.test.ts'],
      ...mutant,
    }));
    write('mutants/planted.ts', `export default ${JSON.stringify(whole)};\n`);
  };
  const run = (...args: string[]) => {
    const { NODE_TEST_CONTEXT: _own, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, [runner, '--root', root, ...args], {
      encoding: 'utf8',
      env: { ...env, TMPDIR: join(root, 'tmp') },
    });
    return { status, lines: `${stdout}${stderr}`.trim().split('\n') };
  };
  const commit = (): void => {
    execFileSync('git', ['add', '.'], { cwd: root });
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'x'], { cwd: root });
  };

  test('a fault that a test notices is killed, by the first test that fails', () => {
    plant([{ name: 'larger', find: 'a < b', replace: 'a > b' }]);
    const { status, lines } = run();
    assert.equal(status, 0);
    assert.match(lines[0] ?? '', /^killed .* planted: larger by "one is smaller than two"$/);
    assert.equal(lines.at(-1), '1 killed, 0 hung, 0 survived');
  });

  test('a fault that no test notices survives and fails the run; the working tree never has it', () => {
    plant([
      { name: 'equal counts', find: 'a < b', replace: 'a <= b' },
      { name: 'larger', find: 'a < b', replace: 'a > b' },
    ]);
    const { status, lines } = run();
    assert.equal(status, 1);
    assert.ok(
      lines.some((line) => /^SURVIVED .* planted: equal counts$/.test(line)),
      lines.join('\n'),
    );
    assert.equal(lines.at(-1), '1 killed, 0 hung, 1 survived');
    assert.equal(readFileSync(join(root, 'packages/planted/src/smaller.ts'), 'utf8'), smallest);
    assert.deepEqual(readdirSync(join(root, 'tmp')), []);
  });

  test('a pattern selects tests, and a pattern without tests is no proof', () => {
    plant([
      { name: 'always', find: 'a < b', replace: 'a < b || true', pattern: 'two is not' },
      { name: 'never', find: 'a < b', replace: 'a < b && false', pattern: 'two is not' },
      { name: 'no tests', find: 'a < b', replace: 'a > b', pattern: 'three' },
    ]);
    const { status, lines } = run();
    assert.equal(status, 1);
    assert.ok(lines.some((line) => /^killed .*: always by "two is not smaller than one"$/.test(line)));
    assert.ok(lines.some((line) => /^SURVIVED .*: never$/.test(line)));
    assert.ok(lines.some((line) => /^BAD TESTS .*: no tests by "its pattern selects no test"$/.test(line)));
  });

  test('a fault that keeps the tests from ending is noticed, and marked', () => {
    plant([{ name: 'endless', find: 'a < b', replace: '{ while (true); }' }]);
    const { status, lines } = run('--patience', '2');
    assert.equal(status, 0);
    assert.equal(lines.at(-1), '0 killed, 1 hung, 0 survived');
  });

  test('tests that fail without the fault prove nothing', () => {
    plant([{ name: 'larger', find: 'a < b', replace: 'a > b' }]);
    write('packages/planted/test/smaller.test.ts', tests.replace('smaller(2, 1), false', 'smaller(2, 1), true'));
    const { status, lines } = run();
    assert.equal(status, 1);
    assert.match(lines.at(-1) ?? '', /1 whose tests fail without the fault$/);
  });

  test('a fault that no longer applies, or applies twice, or is no program, is an error before anything runs', () => {
    plant([
      { name: 'gone', find: 'a << b', replace: 'a > b' },
      { name: 'twice', find: 'number', replace: 'string' },
      { name: 'no program', find: 'a < b', replace: 'a < < b' },
      { name: 'no file', file: 'packages/planted/src/gone.ts', find: 'a', replace: 'b' },
    ]);
    for (const flags of [['--check'], []]) {
      const { status, lines } = run(...flags);
      const said = lines.join('\n');
      assert.equal(status, 1);
      assert.match(said, /planted: gone\n {2}its text to find stands 0 times in packages\/planted\/src\/smaller\.ts/);
      assert.match(said, /planted: twice\n {2}its text to find stands 2 times/);
      assert.match(said, /planted: no program\n/);
      assert.match(said, /planted: no file\n {2}packages\/planted\/src\/gone\.ts does not exist/);
      assert.doesNotMatch(said, /killed/);
    }
  });

  test('names choose mutants; --changed chooses those whose files differ from the previous commit', () => {
    plant([
      { name: 'larger', find: 'a < b', replace: 'a > b' },
      { name: 'never', find: 'a < b', replace: 'a < b && false' },
    ]);
    assert.deepEqual(run('--list', 'never').lines, ['planted: never']);
    commit();
    write('README', 'nothing\n');
    commit();
    assert.deepEqual(run('--changed').lines, ['0 mutants are touched']);
    write('packages/planted/src/smaller.ts', `// smaller\n${smallest}`);
    assert.equal(run('--changed').lines.at(-1), '2 killed, 0 hung, 0 survived');
  });
});
