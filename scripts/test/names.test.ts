// One name for one thing: a topic has the same name in the contract, the server, the conformance kit and the reference.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { topics } from '@sealpost/contract/schemas';

const root = join(import.meta.dirname, '../..');
const names = Object.keys(topics);

/** The files of each topic. */
const places = {
  contract: (topic: string) => `packages/contract/src/${topic}.ts`,
  server: (topic: string) => `packages/server/src/slices/${topic}/index.ts`,
  conformance: (topic: string) => `packages/conformance/src/scenarios/${topic}.ts`,
  reference: (topic: string) => `docs/reference/${topic}.md`,
};

for (const [what, pathOf] of Object.entries(places)) {
  test(`every topic has its file in the ${what}`, () => {
    assert.deepEqual(
      names.map(pathOf).filter((path) => !existsSync(join(root, path))),
      [],
    );
  });
}

test('a slice is a topic, or serves endpoints that are not methods, or holds what several slices need', () => {
  const others = ['accounts', 'admin', 'channels', 'media', 'notices', 'reports', 'sessions'];
  assert.deepEqual(readdirSync(join(root, 'packages/server/src/slices')).sort(), [...names, ...others].sort());
});
