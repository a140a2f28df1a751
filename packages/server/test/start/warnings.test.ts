import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../src/start/config/config.ts';
import type { Mode } from '../../src/start/config/setting.ts';
import { startWarnings } from '../../src/start/config/warnings.ts';

const warnings = (flags: Record<string, string>, mode: Mode = 'serve') =>
  startWarnings(loadConfig(mode, { flags, env: {} }));
const own = { 'build-tokens': 'a token of our own' };

test('a public build token is told, where signatures tell anything and others can come', () => {
  assert.match(warnings({}).join(), /sealpost-dev is public: set --build-tokens/);
  assert.equal(warnings({ 'build-tokens': 'own,sealpost-dev' }).length, 1);
  assert.deepEqual(warnings(own), []);
  assert.deepEqual(warnings({ signature: 'lenient' }), []);
  assert.deepEqual(warnings({}, 'dev'), []);
});

test('several servers with media in a folder are told that it must be the same one', () => {
  const several = { ...own, 'database-url': 'postgres://localhost/x', 'bus-url': 'nats://localhost' };
  assert.match(warnings(several).join(), /in the folder \.\/data\/objects: with bus-url, all servers/);
  assert.deepEqual(warnings({ ...several, 'objects-url': 's3://media' }), []);
});
