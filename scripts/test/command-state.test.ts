// Checks that modules of the command keep no state between two uses. So a command can run in the process of an earlier
// one, and a program can use the SDK for several accounts.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

/** Modules that may keep state, each with the reason why nobody can notice it. */
const keepers: Readonly<Record<string, string>> = {
  'packages/sdk/src/key-store/file-records.ts': 'numbers temporary files, so that no two have one name',
  'packages/sdk/src/key-backup/passphrase-strength.ts': 'loads its word lists once',
  'packages/conformance/src/answers.ts': 'compiles each schema once',
  'packages/sdk/src/messaging/searched-texts.ts': 'keeps the read texts of an account for a minute, by its state',
};

/** Matches variables of a module, and constants that begin as empty collections that can be changed. */
const STATE =
  /^(export )?((let|var) .*|const \w+(: (?!readonly ).*)? = (new (Weak)?(Map|Set)(<.*>)?\(\)|\[\]|\{\});)$/gm;

const stateIn = (text: string): string[] => text.match(STATE) ?? [];

test('only the listed modules keep something', () => {
  const sources = globSync('packages/{cli,conformance,contract,crypto,sdk}/src/**/*.ts', { cwd: root });
  assert.ok(sources.length > 150, `only ${sources.length} files were found`);
  const found = sources.filter((path) => stateIn(readFileSync(join(root, path), 'utf8')).length > 0);
  assert.deepEqual(found.sort(), Object.keys(keepers).sort());
});

for (const line of [
  'let written = 0;',
  'export let now: number | undefined;',
  'const seen = new Map<string, number>();',
  'const seen: Set<string> = new Set();',
  'export const validators = new WeakMap<TSchema, Validator>();',
  'const names: string[] = [];',
])
  test(`this is told: ${line}`, () => assert.deepEqual(stateIn(line), [line]));

test('what never changes is not', () => {
  for (const line of ["const names = new Set(['a']);", '  let count = 0;', 'const none: readonly string[] = [];'])
    assert.deepEqual(stateIn(line), [], line);
});
