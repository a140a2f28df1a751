// The campaigns run tests and scripts that exist, and docs/evidence.md lists them as they are.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { campaigns, commandOf, tableOf } from '../campaigns.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('docs/evidence.md has the table of the campaigns, which npm run campaign -- --table prints', () => {
  assert.ok(read('docs/evidence.md').includes(`${tableOf(campaigns)}\n\n`), tableOf(campaigns));
});

test('each campaign has a name of its own, and a test that exists', () => {
  const names = campaigns.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual(
    campaigns.map((campaign) => campaign.test).filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test('a campaign has the form that its test can take', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  for (const campaign of campaigns) {
    const { long, name } = campaign;
    if ('script' in long) assert.ok(long.script[0] && scripts[long.script[0]], `${name}: ${commandOf(campaign)}`);
    else assert.equal('repeats' in long, read(campaign.test).includes('repeats('), name);
  }
});
